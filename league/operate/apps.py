"""The app, as Django wants to know it."""

from django.apps import AppConfig


class OperateConfig(AppConfig):
    """Nothing is connected here: no signals."""

    name = "league.operate"
    label = "operate"
