"""The house bots of Edelsteinsuche."""
