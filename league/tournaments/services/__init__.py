"""What can happen to tournaments."""
