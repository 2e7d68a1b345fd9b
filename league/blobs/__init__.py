"""The contents of files, stored once by their SHA-256, in the database or outside of it."""
