# tries: be a coroutine that nobody awaits; verdict: nothing
from bots_sdk import Bot


class Hostile(Bot):
    async def decide(self, view, options):
        return options[0]
