"""The pages of the wall and of its remote."""
