from bots_sdk.games.edel_stein_reich import EdelSteinReichBot


class MyBot(EdelSteinReichBot):
    def choose_action(self, view, options):
        if "event" in options and view.me.money > 1000:
            return "event"
