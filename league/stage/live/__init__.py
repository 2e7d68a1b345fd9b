"""The live connection of a wall: one message for all who watch, sent as it changes."""
