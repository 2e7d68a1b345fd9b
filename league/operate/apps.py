"""The app, as Django wants to know it."""

from importlib import import_module

from django.apps import AppConfig


class OperateConfig(AppConfig):
    """Makes its checks known to Django; no signals."""

    name = "league.operate"
    label = "operate"

    def ready(self) -> None:
        """Let `manage.py check --deploy` find what is asked there."""
        import_module("league.operate.checks")
