"""The app, as Django wants to know it."""

from django.apps import AppConfig


class BotsConfig(AppConfig):
    """Nothing is connected here: no signals."""

    name = "league.bots"
    label = "bots"
