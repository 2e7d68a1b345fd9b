"""Rows that are jobs, and the broker that wakes workers."""
