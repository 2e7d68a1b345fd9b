"""What staff do about people and bots, through all parts of the league; and how people leave."""
