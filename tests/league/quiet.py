"""What every test of the league begins with: no counts left over, passwords that cost nothing."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def nobody_asked_before():
    """Counts of requests do not go from one test to the next."""
    cache.clear()


@pytest.fixture(autouse=True)
def quick_passwords(settings):
    """Tests guess no passwords, so they need not be slow to guess."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def plain_static_files(settings):
    """Nothing was collected, so files have no hash in their names."""
    static = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": static}
