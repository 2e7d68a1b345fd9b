"""The playground: try a bot against house bots without an account."""
