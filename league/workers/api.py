"""The API of how the league is doing, for everybody: the queue, the workers, the versions."""

from datetime import datetime

from ninja import Field, Router, Schema

from league.accounts.auth import ApiRequest, anyone
from league.workers.state import state

router = Router(tags=["Status"], auth=anyone)


class QueueOut(Schema):
    """What waits."""

    queued: int = Field(examples=[4])
    running: int = Field(examples=[2])
    oldest_seconds: float = Field(
        description="How long the match that waits longest has been waiting.", examples=[1.4]
    )


class MatchesOut(Schema):
    """What was played."""

    finished: int = Field(examples=[48210])
    void: int = Field(examples=[0])


class WorkerOut(Schema):
    """A process that plays matches, as it last reported itself."""

    name: str = Field(examples=["worker-1"])
    heartbeat: datetime | None = Field(examples=["2026-03-01T12:00:00Z"])
    capacity: int = Field(description="Matches at the same time.", examples=[2])
    sandbox: str = Field(description="How it boxes bots.", examples=["bubblewrap"])
    sandbox_ok: bool = Field(description="Whether all walls of its boxes held.", examples=[True])
    finished: int = Field(examples=[20411])
    draining: bool = Field(
        description="An operator lets it finish what it plays; it takes nothing new.",
        examples=[False],
    )
    set_aside: bool = Field(
        description="The league does not trust it; it takes nothing until it passes its own test.",
        examples=[False],
    )


class ControlOut(Schema):
    """The process that makes ladder matches, writes ratings and runs schedules."""

    heartbeat: datetime | None = Field(
        description="When it last finished some of its work.", examples=["2026-03-01T12:00:00Z"]
    )
    alive: bool = Field(description="Whether that was within a minute.", examples=[True])


class VersionsOut(Schema):
    """Which versions run."""

    karat: str = Field(examples=["0.1.0"])
    rules: dict[str, str] = Field(description="By game.", examples=[{"basari": "1"}])


class StatusOut(Schema):
    """How the league is doing."""

    queue: QueueOut
    matches: MatchesOut
    workers: list[WorkerOut]
    control: ControlOut
    versions: VersionsOut


@router.get("/status", response=StatusOut)
def read_status(request: ApiRequest) -> StatusOut:  # noqa: ARG001  ninja passes it
    """The queue, what was played, the workers heard of within an hour, and the versions."""
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
