"""Views for staff."""
