"""House bots of Tidepool."""
