"""Bots with files: a folder with `bot.py`, modules and data, known by the digest of its content."""
