"""The house bots of Basari."""
