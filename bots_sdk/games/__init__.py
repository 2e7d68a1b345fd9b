"""The authors' kit of each game: base class, starter, house bots, environment, viewer."""
