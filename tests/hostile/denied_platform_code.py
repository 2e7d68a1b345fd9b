# tries: import code of the platform and of its other users; verdict: ok
import importlib

from bots_sdk import Bot

NAMES = (
    "league",
    "django",
    "celery",
    "runners.match",
    "runners.boxed",
    "runners.seeds",
    "bots_sdk.cli",
    "tests",
    "pytest",
    "pip",
    "msgspec",
    "rich",
    "typer",
)


class Hostile(Bot):
    def decide(self, view, options):
        for name in NAMES:
            try:
                importlib.import_module(name)
            except ImportError:
                continue
            raise AssertionError(f"escaped: {name}")
        return options[0]
