"""The games of Karat, a folder each: everything about a game that is pure."""
