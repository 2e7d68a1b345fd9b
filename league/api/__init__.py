"""The API under /api/v1/, and what its endpoints share."""
