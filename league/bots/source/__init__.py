"""An author's source: highlighted, compared, read without running it."""
