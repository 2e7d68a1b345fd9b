"""The SDK of this league, for its authors: built once from its own code, kept under `var/`."""

import os
from functools import cache
from hashlib import sha256
from importlib.metadata import entry_points, metadata, requires, version
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import etag

from league.pages.wheel import Facts, build

EXTRAS = ("cli", "box", "rl")
"""What an author may want besides; the league's own needs are none of theirs."""


@cache
def facts() -> Facts:
    """As the league itself is installed. The needs of the command are needs of the SDK: authors
    install it for the command.
    """
    about = metadata("karat")
    needs = {extra: _needs(extra) for extra in EXTRAS}
    (command,) = entry_points(group="console_scripts", name="karat")
    return Facts(
        name="karat",
        version=version("karat"),
        summary=about["Summary"],
        python=about["Requires-Python"],
        needs=needs["cli"],
        extras=needs,
        scripts={command.name: command.value},
    )


def _needs(extra: str) -> tuple[str, ...]:
    """The requirements of one extra, without the mark that they belong to it."""
    mark = f'; extra == "{extra}"'
    return tuple(one.removesuffix(mark) for one in requires("karat") or () if one.endswith(mark))


@cache
def wheel() -> Path:
    """The file, written whole or not at all; its folder is named after its bytes."""
    data = build(settings.ROOT, facts())
    folder = settings.VAR / "sdk" / sha256(data).hexdigest()[:16]
    path: Path = folder / facts().file_name
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        growing = folder / f"{uuid4()}.growing"
        growing.write_bytes(data)
        os.replace(growing, path)
    return path


def requirement(site: str) -> str:
    """What to tell pip. By address, so that nobody else's package of this name is taken."""
    return f"{site}/sdk/{facts().file_name}"


def index(request: HttpRequest) -> HttpResponse:
    """How to install it."""
    shown = {"requirement": requirement(settings.SITE_URL), "facts": facts(), "section": "docs"}
    return render(request, "pages/sdk.html", shown)


def latest(_request: HttpRequest) -> HttpResponse:
    """A short address; pip itself wants the full name, which is where this leads."""
    return redirect("pages:wheel", facts().file_name)


def _tag(_request: HttpRequest, name: str) -> str | None:
    return f'"{wheel().parent.name}"' if name == facts().file_name else None


@etag(_tag)
def download(_request: HttpRequest, name: str) -> HttpResponse:
    """The wheel under the name that pip reads its version from."""
    if name != facts().file_name:
        raise Http404
    answer = HttpResponse(wheel().read_bytes(), content_type="application/octet-stream")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
