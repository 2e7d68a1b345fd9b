"""Moderation of users and bots across all apps, and deletion of your own account."""
