"""How bots play and whom they beat, as sums over matches."""
