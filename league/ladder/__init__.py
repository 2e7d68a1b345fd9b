"""Ladders: who plays whom, and the ledger of ratings."""
