"""The app, as Django wants to know it."""

from django.apps import AppConfig


class LadderConfig(AppConfig):
    """Nothing is connected here: no signals."""

    name = "league.ladder"
    label = "ladder"
