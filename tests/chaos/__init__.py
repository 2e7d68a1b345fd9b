"""A real league under attack: processes are killed, servers vanish, and nothing is lost."""
