"""The app, as Django wants to know it."""

from django.apps import AppConfig


class WorkersConfig(AppConfig):
    """Nothing is connected here: no signals."""

    name = "league.workers"
    label = "workers"
