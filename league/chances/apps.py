"""The app, as Django wants to know it."""

from django.apps import AppConfig


class ChancesConfig(AppConfig):
    """Nothing is connected here: no signals."""

    name = "league.chances"
    label = "chances"
