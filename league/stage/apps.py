"""The app, as Django wants to know it."""

from django.apps import AppConfig


class StageConfig(AppConfig):
    """Nothing is connected here: no signals."""

    name = "league.stage"
    label = "stage"
