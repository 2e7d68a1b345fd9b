"""The app, as Django wants to know it."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    """Nothing is connected here: no signals."""

    name = "league.pages"
    label = "pages"
