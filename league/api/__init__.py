"""The API under /api/v1/: what all its parts share."""
