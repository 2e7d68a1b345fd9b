"""The rules of the games, and nothing else: no clock, no file, no socket, no third-party code."""
