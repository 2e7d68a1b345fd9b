"""The app, as Django wants to know it."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Nothing is connected here: no signals."""

    name = "league.accounts"
    label = "accounts"
