from bots_sdk.games.edel_stein_reich import EdelSteinReichBot


class MyBot(EdelSteinReichBot):
    def choose_action(self, view, options):
        move = "diamonds"
        while move not in options:
            move = move.lower()
        return move
