# tries: change the rules for everybody; verdict: ok
# limits: load_cpu_ms 2000, load_wall_ms 6000
import engine.edelsteinsuche.cards as cards
import engine.edelsteinsuche.rules as rules
import engine.games
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        move = options[0]
        cards.CARDS.clear()
        rules.outcome = rules.start = rules.play = lambda *_: None
        engine.games.GAMES.clear()
        return move
