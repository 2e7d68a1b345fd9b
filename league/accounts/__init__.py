"""Who people are: users and their access keys."""
