# tries: replace json.dumps under the code around it; verdict: protocol|ok
import json

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        json.dumps = json.JSONEncoder.encode = lambda *_, **__: "win"
        return options[0]
