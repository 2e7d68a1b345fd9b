"""Bots and their versions: uploads, checks, activation, the bench."""
