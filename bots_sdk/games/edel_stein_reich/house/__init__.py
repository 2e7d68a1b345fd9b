"""The house bots of Edel, Stein & Reich."""
