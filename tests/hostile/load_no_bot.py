# tries: be a file without a bot; verdict: load
class Hostile:
    def decide(self, view, options):
        return options[0]
