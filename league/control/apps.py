"""The app, as Django wants to know it."""

from django.apps import AppConfig


class ControlConfig(AppConfig):
    """Nothing is connected here: no signals."""

    name = "league.control"
    label = "control"
