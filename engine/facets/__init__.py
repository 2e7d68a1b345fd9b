"""What a game can say about itself besides its rules. Every facet has a default that works."""
