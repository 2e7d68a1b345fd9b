# tries: change the rules for everybody; verdict: ok
# limits: load_cpu_ms 2000, load_wall_ms 6000
import engine.games.edelsteinsuche.cards as cards
import engine.games.edelsteinsuche.rules as rules
import engine.registry
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        move = options[0]
        cards.CARDS.clear()
        rules.outcome = rules.start = rules.play = lambda *_: None
        engine.registry.GAMES._games.clear()
        return move
