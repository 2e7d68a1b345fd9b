from bots_sdk.games.edel_stein_reich import EdelSteinReichBot


class MyBot(EdelSteinReichBot):
    def choose_action(self, view, options):
        for _ in range(2_000):
            print("Which one?", options)
        return options[0]
