# tries: keep every question and compare them, to see cards it should not; verdict: ok
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        kept = self.__dict__.setdefault("kept", [])
        kept.append(view)
        for one in kept:
            hidden = [
                card
                for row in one["rows"][1:]
                for slot in row
                if not slot["up"]
                for card in [slot["card"]]
            ]
            if one["seats"][1]["type"] is not None and not one["seats"][1]["revealed"]:
                raise AssertionError("escaped: the other prospector")
            if len([card for card in hidden if card]) > 2 * len(kept):
                raise AssertionError("escaped: hidden cards")
        return options[0]
