from bots_sdk.games.edel_stein_reich import EdelSteinReichBot


class MyBot(EdelSteinReichBot):
    turn = 0

    def decide(self, view, options):
        self.turn += 1
        if self.turn == 20:
            return options[len(options)]
        return super().decide(view, options)
