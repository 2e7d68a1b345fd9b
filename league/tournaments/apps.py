"""The app, as Django wants to know it."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Nothing is connected here: no signals."""

    name = "league.tournaments"
    label = "tournaments"
