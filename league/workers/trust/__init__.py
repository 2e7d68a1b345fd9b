"""Which workers can be trusted: who is suspicious, who is quarantined, who passes its self-test."""
