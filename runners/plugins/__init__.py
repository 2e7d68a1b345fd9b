"""Games and authors' kits that are installed: ours and those of other packages, by entry points."""
