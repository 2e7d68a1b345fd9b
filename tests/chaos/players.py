"""Who plays while everything breaks: honest, slow and hostile bots."""

HONEST = """from bots_sdk import Bot


class Honest(Bot):
    def decide(self, view, options):
        return self.rng.choice(options)
"""
SLOW = """from bots_sdk import Bot


class Slow(Bot):
    def decide(self, view, options):
        if self.rng.random() < 0.01:
            while True:
                pass
        sum(range(20_000))
        return options[0]
"""
CRASHING = """import os

from bots_sdk import Bot


class Crashing(Bot):
    def decide(self, view, options):
        if self.rng.random() < 0.01:
            os._exit(3)
        return options[-1]
"""
LEAVING = """import ctypes

from bots_sdk import Bot


class Leaving(Bot):
    def decide(self, view, options):
        if self.rng.random() < 0.01:
            ctypes.CDLL(None).ptrace(0, 0, 0, 0)
        return options[0]
"""

SOURCES = {"Honest": HONEST, "Slow": SLOW, "Crashing": CRASHING, "Leaving": LEAVING}

SEED = f"""
ladder.ensure()
sources = {SOURCES!r}
for n, name in enumerate(["Honest"] * 6 + ["Slow", "Crashing", "Leaving"]):
    bot = factories.make_bot(name=f"{{name}} {{n}}")
    factories.make_version(bot, sources[name] + f"# {{n}}\\n")
ladder.enrol()
from datetime import timedelta
from django.utils import timezone
from league.tournaments.services import entries, lifecycle as cups
soon = timezone.now() + timedelta(seconds=3)
cup = cups.create(
    None, "Chaos Cup", "basari", {{"format": "swiss", "seats": 3, "rounds": 3}},
    locks_at=soon, starts_at=soon,
)
cups.publish(cup, None)
# Rotations of a deal finish together on two workers.
mirrored = cups.create(
    None, "Mirrored Cup", "edelsteinsuche",
    {{"format": "round-robin", "seats": 3, "rounds": 1, "deals": 2, "mirrored": True}},
    locks_at=soon, starts_at=soon,
)
cups.publish(mirrored, None)
for bot in Bot.objects.select_related("active"):
    entries.enter(cup, bot, None)
    entries.enter(mirrored, bot, None)
from league.accounts.services import create_token
scopes = ["read", "upload", "organise"]
users = [factories.make_user(name) for name in ("visitor", "flooder")]
tell([create_token(user, "chaos", scopes)[1] for user in users])
"""
