# tries: answer with an object that claims to be a text; verdict: nothing|illegal|raised
from bots_sdk import Bot


class Lie:
    __class__ = str  # type: ignore[assignment]

    def __len__(self):
        return 1 << 40

    def __str__(self):
        return self


class Hostile(Bot):
    def decide(self, view, options):
        return Lie()
