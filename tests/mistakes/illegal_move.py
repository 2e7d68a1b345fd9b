from bots_sdk.games.edel_stein_reich import EdelSteinReichBot


class MyBot(EdelSteinReichBot):
    def choose_action(self, view, options):
        return "diamonds"
