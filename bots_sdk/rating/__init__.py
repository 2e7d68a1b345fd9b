"""TrueSkill: what a match does to ratings."""
