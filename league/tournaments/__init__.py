"""Tournaments: who plays whom, when, and who won."""
