"""The app, as Django wants to know it."""

from django.apps import AppConfig


class PlaygroundConfig(AppConfig):
    """Nothing is connected here: no signals."""

    name = "league.playground"
    label = "playground"
