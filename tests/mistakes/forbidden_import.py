import subprocess

from bots_sdk.games.edel_stein_reich import EdelSteinReichBot


class MyBot(EdelSteinReichBot):
    def choose_action(self, view, options):
        if subprocess.run(["true"]).returncode:
            return "money"
        return options[-1]
