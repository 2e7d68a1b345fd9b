"""What the settings are made of."""
