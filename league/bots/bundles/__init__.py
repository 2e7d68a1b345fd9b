"""Bots with files: what is uploaded, stored, counted, read again and played."""
