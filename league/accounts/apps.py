"""The Django configuration of the app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The accounts app. It connects no signals."""

    name = "league.accounts"
    label = "accounts"
