"""What a spectator of Edel, Stein & Reich likes to know."""

from engine.facets.insight import Insight
from engine.games.edel_stein_reich.scoring import score_phase
from engine.games.edel_stein_reich.state import State, clone
from engine.record.types import AnyStep

_SETTLING = frozenset({"score", "certificates", "end"})


class EdelSteinReichInsight(Insight[State]):
    """Scores the phase as it stands."""

    def if_scored(self, state: State) -> list[int]:
        """Return the money of every seat if the phase were scored now."""
        future = clone(state)
        score_phase(future, None)
        return future.money

    def is_settling(self, step: AnyStep) -> bool:
        """Return whether the phase is being scored."""
        return step["t"] in _SETTLING
