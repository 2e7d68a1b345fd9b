"""Users and their access keys."""
