"""The record of a match: written, read, verified, played again, redacted."""
