"""Static files: which there are, and how browsers get them."""
