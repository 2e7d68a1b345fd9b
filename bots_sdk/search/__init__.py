"""Parts for bots that search, for authors and for the house bots. Runs inside the box.

    holdings      what the gems of all seats are worth
    prices        what gems and offers are worth to one seat, and which offer is fair
    habits        what the others probably choose
    equilibrium   what players choose together who prefer what pays
    determinised  imagine worlds, play a round in them, take the move that ends best
    haggling      the same for barters: which offer to make, which to accept

Each module can be imported alone, and nothing is imported by this one.
"""
