"""How large the bodies of requests may be, and who may send large ones."""
