class MyBot:
    def decide(self, view, options):
        return options[0]
