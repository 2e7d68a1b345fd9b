"""The box a stranger's bot runs in: it can think, and nothing else."""
