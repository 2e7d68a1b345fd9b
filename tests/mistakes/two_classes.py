from bots_sdk.games.edel_stein_reich import EdelSteinReichBot


class Saver(EdelSteinReichBot):
    def choose_action(self, view, options):
        return "money"


class Collector(EdelSteinReichBot):
    def choose_action(self, view, options):
        return options[-1]
