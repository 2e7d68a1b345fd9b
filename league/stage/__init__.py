"""The wall: a page for a projector with premieres of matches, and the remote that runs it."""
