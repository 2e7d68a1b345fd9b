"""The workers: who plays what is queued, and who may be trusted to."""
