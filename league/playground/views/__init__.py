"""Pages of the playground."""
