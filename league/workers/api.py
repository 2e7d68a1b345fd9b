"""The public API of the league's status: the queue, the workers, the versions."""

from datetime import datetime

from ninja import Field, Router, Schema

from league.accounts.auth import ApiRequest, anyone
from league.workers.state import state

router = Router(tags=["Status"], auth=anyone)


class QueueOut(Schema):
    """The queue of matches."""

    queued: int = Field(examples=[4])
    running: int = Field(examples=[2])
    oldest_seconds: float = Field(
        description="How long the oldest queued match has been waiting.", examples=[1.4]
    )


class MatchesOut(Schema):
    """The matches so far."""

    finished: int = Field(examples=[48210])
    void: int = Field(examples=[0])


class WorkerOut(Schema):
    """A process that plays matches, as it last reported itself."""

    name: str = Field(examples=["worker-1"])
    heartbeat: datetime | None = Field(examples=["2026-03-01T12:00:00Z"])
    capacity: int = Field(description="How many matches it plays at the same time.", examples=[2])
    sandbox: str = Field(description="The kind of its sandbox.", examples=["bubblewrap"])
    sandbox_ok: bool = Field(description="Whether its sandbox passed all checks.", examples=[True])
    finished: int = Field(examples=[20411])
    draining: bool = Field(
        description="An operator lets it finish its jobs; it takes no new ones.",
        examples=[False],
    )
    set_aside: bool = Field(
        description="It is in quarantine: it takes no jobs until it passes a self-test.",
        examples=[False],
    )


class ControlOut(Schema):
    """The process that queues ladder matches, writes ratings and runs schedules."""

    heartbeat: datetime | None = Field(
        description="When it last finished a task.", examples=["2026-03-01T12:00:00Z"]
    )
    alive: bool = Field(description="Whether that was within a minute.", examples=[True])


class VersionsOut(Schema):
    """The versions in use."""

    karat: str = Field(examples=["0.1.0"])
    rules: dict[str, str] = Field(description="By game.", examples=[{"basari": "1"}])


class StatusOut(Schema):
    """The status of the league."""

    queue: QueueOut
    matches: MatchesOut
    workers: list[WorkerOut]
    control: ControlOut
    versions: VersionsOut


@router.get("/status", response=StatusOut)
def read_status(request: ApiRequest) -> StatusOut:  # noqa: ARG001  ninja passes it
    """Read the queue, the matches so far, the workers of the last hour, and the versions."""
    now = state()
    return StatusOut(
        queue=QueueOut(
            queued=now.queued,
            running=now.running,
            oldest_seconds=round(now.oldest_seconds, 3),
        ),
        matches=MatchesOut(finished=now.finished, void=now.void),
        workers=[
            WorkerOut(
                name=worker.name,
                heartbeat=worker.seen_at,
                capacity=worker.capacity,
                sandbox=worker.sandbox,
                sandbox_ok=worker.sandbox_ok,
                finished=worker.finished,
                draining=worker.draining,
                set_aside=worker.quarantined_at is not None,
            )
            for worker in now.workers
        ],
        control=ControlOut(
            heartbeat=now.control.seen_at if now.control else None,
            alive=now.control is not None and now.control.alive,
        ),
        versions=VersionsOut(karat=now.karat, rules=now.rules),
    )
