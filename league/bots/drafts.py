"""Code that waits in the session until its author has signed in."""

from dataclasses import asdict, dataclass

from django.http import HttpRequest

_KEY = "draft"


@dataclass(frozen=True, slots=True)
class Draft:
    """What was in the form. `bot` is the slug of the bot it is a version of, if there is one."""

    code: str
    name: str = ""
    note: str = ""
    bot: str = ""


def keep(request: HttpRequest, draft: Draft) -> None:
    """Hold it over sign-up or sign-in."""
    request.session[_KEY] = asdict(draft)


def kept(request: HttpRequest, bot: str = "") -> Draft | None:
    """What waits for this form."""
    said = request.session.get(_KEY)
    draft = Draft(**said) if said else None
    return draft if draft and draft.bot == bot else None


def drop(request: HttpRequest) -> None:
    """It is uploaded."""
    request.session.pop(_KEY, None)
