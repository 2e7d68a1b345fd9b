# tries: have a number where decide should be; verdict: raised|load
from bots_sdk import Bot


class Hostile(Bot):
    decide = 7  # type: ignore[assignment]
