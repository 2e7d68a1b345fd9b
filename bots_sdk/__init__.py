"""What an author of bots needs, and the `karat` command."""
