# tries: loop and swallow BaseException; verdict: timeout
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                continue
