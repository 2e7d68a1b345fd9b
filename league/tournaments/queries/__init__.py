"""Reading tournaments."""
