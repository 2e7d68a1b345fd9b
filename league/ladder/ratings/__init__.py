"""The ledger of ratings: written, rebuilt, verified."""
