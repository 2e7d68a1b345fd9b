"""The versions of the rating arithmetic. A ledger says from which match on it uses which."""
