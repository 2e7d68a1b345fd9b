"""The app, as Django wants to know it."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """Nothing is connected here: no signals."""

    name = "league.matches"
    label = "matches"
