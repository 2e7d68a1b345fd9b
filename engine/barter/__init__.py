"""What the two barter games share: gems, offers, the table, bargaining, scoring by majority."""
