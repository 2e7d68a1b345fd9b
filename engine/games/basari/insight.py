"""What a spectator of Basari likes to know."""

from engine.facets.insight import Commentator, Insight
from engine.games.basari.rules import ENOUGH_WORKERS, WORKER_AWARD, score_stage
from engine.games.basari.state import State, clone
from engine.record.types import AnyStep

_SETTLING = frozenset({"score", "workers", "end"})


class BasariInsight(Insight[State]):
    """Scores the stage as it stands, and says when it is bound to end."""

    def if_scored(self, state: State) -> list[int]:
        """Return the points of every seat if the stage were scored now."""
        future = clone(state)
        score_stage(future, None)
        return future.points

    def is_settling(self, step: AnyStep) -> bool:
        """Return whether the stage is being scored."""
        return step["t"] in _SETTLING

    def commentator(self) -> "LastRound":
        """Return somebody who watches one match."""
        return LastRound()


class LastRound(Commentator[State]):
    """Says when a stage is bound to end with the running round."""

    is_announced = False

    def watch(self, step: AnyStep, state: State) -> None:
        """Remark once in each stage that somebody has workers enough."""
        if step["t"] == "stage":
            self.is_announced = False
        most = max(state.workers)
        if most >= ENOUGH_WORKERS and not self.is_announced:
            self.is_announced = True
            seat = state.workers.index(most)
            self.remark(
                step["i"],
                "last-round",
                seat,
                f"{{{seat}}} has {most} workers: the stage ends after this round, and every seat "
                f"with {ENOUGH_WORKERS} or more gets {WORKER_AWARD}.",
            )
