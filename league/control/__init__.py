"""The control process as the rest of the league knows it: its heartbeat, and bounded work."""
