"""The box an untrusted bot runs in: it can think, and nothing else."""
