"""The lanes of the queue by name: whose turns a job uses up (`workers.turns`)."""

LADDER = "ladder-"
USER = "user-"
HOUSE = "house"
"""What the league itself asks for."""
GUESTS = "guests"
"""All visitors without an account."""


def lane_of_user(pk: int | None) -> str:
    """Return the lane of a user, or that of the house."""
    return HOUSE if pk is None else f"{USER}{pk}"


def lane_of_ladder(game: str) -> str:
    """Return the lane of a ladder."""
    return f"{LADDER}{game}"
