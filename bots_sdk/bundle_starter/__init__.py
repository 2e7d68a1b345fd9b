"""What `karat new --bundle` begins with: a bot and a module of its own; its data is per game."""
