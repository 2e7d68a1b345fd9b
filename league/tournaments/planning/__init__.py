"""How tournaments are planned and decided: pure functions."""
