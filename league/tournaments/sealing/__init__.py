"""Event nights: results that are sealed until they are revealed."""
