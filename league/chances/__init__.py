"""The chances in finished matches: estimated by workers in their spare time, read by pages."""
