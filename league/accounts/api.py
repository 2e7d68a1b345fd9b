"""The API of your own account."""

from ninja import Field, Router, Schema

from league.accounts.auth import ApiRequest, any_key

router = Router(tags=["Account"])


class OwnBot(Schema):
    """One of your bots."""

    slug: str = Field(examples=["sapphire-shark"])
    name: str = Field(examples=["Sapphire Shark"])


class Me(Schema):
    """The owner of the key."""

    name: str = Field(examples=["mira"])
    scopes: list[str] = Field(description="The scopes of this key.", examples=[["read", "upload"]])
    bots: list[OwnBot]
    is_organiser: bool = Field(
        description="Whether you may create rated tournaments.", examples=[False]
    )


@router.get("/me", auth=any_key, response=Me)
def read_me(request: ApiRequest) -> dict[str, object]:
    """Read who owns the key, what it may do, and which bots are yours."""
    user, token = request.auth.owner, request.auth.token
    assert token is not None
    return {
        "name": user.username,
        "scopes": token.scopes,
        "bots": user.bots.order_by("slug").values("slug", "name"),
        "is_organiser": user.is_organiser,
    }
