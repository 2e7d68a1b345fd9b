"""Talking to a league."""
