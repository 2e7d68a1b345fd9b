"""The app, as Django wants to know it."""

from django.apps import AppConfig


class BlobsConfig(AppConfig):
    """Nothing is connected here: no signals."""

    name = "league.blobs"
    label = "blobs"
