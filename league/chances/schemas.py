"""Chances as the API sends them."""

from typing import Any

from ninja import Field, Schema

from bots_sdk.chances.values import Chances


class RowOut(Schema):
    """The position after a step."""

    step: int
    chances: list[int] = Field(
        description="Of each seat to win, per mille; together 1000.", examples=[[430, 310, 260]]
    )


class TurningPointOut(Schema):
    """A swing between two rows that is larger than the error."""

    step: int = Field(description="The step that tells it best: a decision, or the forfeit.")
    first: int = Field(description="Step of the row before it.")
    last: int = Field(description="Step of the row after it.")
    winner: int = Field(description="Seat whose chance rose most.")
    loser: int = Field(description="Seat whose chance fell most.")
    size: int = Field(description="How much of all chances changed hands, per mille.")
    seat: int = Field(description="Seat that forfeited, or else whose chance changed most.")
    forfeited: bool = Field(description="Whether that seat forfeited in between.")


class ChancesOut(Schema):
    """An estimate of who was going to win, from games played out from positions of the match."""

    version: int = Field(description="Version of the arithmetic.")
    policy: str = Field(description="What played on.", examples=["quick greedy bots"])
    playouts: int = Field(description="Games played out from each position.")
    error: int = Field(
        description="Standard error of a chance of one half, per mille; others have a smaller one."
    )
    rows: list[RowOut] = Field(
        description="In the order of the steps; if `decided`, the last is the outcome."
    )
    decided: bool = Field(description="False if everybody forfeited: then nobody won.")
    turning_points: list[TurningPointOut] = Field(description="The largest swings, at most five.")
    swing: float = Field(description="The sum of all swings beyond the error, without forfeits.")


def show_chances(chances: Chances) -> dict[str, Any]:
    """Return chances for the API."""
    return {
        **chances.as_data(),
        "rows": [row._asdict() for row in chances.rows],
        "turning_points": [point._asdict() for point in chances.turning_points],
    }
