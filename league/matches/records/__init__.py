"""Records as the league keeps and sends them."""
