"""The SDK as a download: built once from the installed code and stored under `var/`."""

import os
from functools import cache
from hashlib import sha256
from importlib.metadata import distribution, metadata, requires, version
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import etag

from bots_sdk import installation
from league.pages.wheel import Facts, build
from runners.plugins.acceptance import OWN_DISTRIBUTION
from runners.plugins.discovery import third_party_entries
from runners.plugins.files import folder_of

PACKAGES = ("engine", "runners", "bots_sdk")
EXTRAS = ("cli", "box", "rl")
"""The extras that authors may install."""


@cache
def facts() -> Facts:
    """Return the metadata of the wheel.

    It requires what the `karat` command requires and what a box has: authors install it for the
    command, and what runs in the league must run on their machines.
    """
    about = metadata(OWN_DISTRIBUTION)
    needs = {extra: _requirements(extra) for extra in EXTRAS}
    return Facts(
        name=OWN_DISTRIBUTION,
        version=version(OWN_DISTRIBUTION),
        summary=about["Summary"],
        python=about["Requires-Python"],
        needs=(*needs["cli"], *needs["box"]),
        extras=needs,
        entry_points=_entry_points(),
    )


def _entry_points() -> dict[str, dict[str, str]]:
    """Return the entry points of the command, and of all games and kits of this league."""
    groups: dict[str, dict[str, str]] = {}
    for point in [*distribution(OWN_DISTRIBUTION).entry_points, *third_party_entries()]:
        groups.setdefault(point.group, {})[point.name] = point.value
    return groups


def _requirements(extra: str) -> tuple[str, ...]:
    """Return the requirements of an extra, without their marker."""
    marker = f'; extra == "{extra}"'
    return tuple(
        one.removesuffix(marker) for one in requires(OWN_DISTRIBUTION) or () if one.endswith(marker)
    )


def packages() -> list[Path]:
    """Return the folders of the packages: the SDK's, and those of games that were installed."""
    third_party = {entry.module.partition(".")[0] for entry in third_party_entries()}
    return [settings.ROOT / name for name in PACKAGES] + [folder_of(n) for n in sorted(third_party)]


@cache
def wheel() -> Path:
    """Return the path of the wheel, written atomically; its folder is named after its digest."""
    data = build(packages(), settings.ROOT / "LICENSE", facts())
    folder = settings.VAR / "sdk" / sha256(data).hexdigest()[:16]
    path: Path = folder / facts().file_name
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        temporary = folder / f"{uuid4()}.tmp"
        temporary.write_bytes(data)
        os.replace(temporary, path)
    return path


def requirement(site: str, extra: str = "") -> str:
    """Return the argument for pip: with the address, because this league has its own SDK."""
    return installation.requirement(f"{site}/sdk/{facts().file_name}", extra)


def index(request: HttpRequest) -> HttpResponse:
    """Show how to install the SDK."""
    context = {
        "requirement": requirement(settings.SITE_URL),
        "requirement_for_learning": requirement(settings.SITE_URL, "rl"),
        "facts": facts(),
        "python": facts().python.removeprefix(">="),
        "section": "docs",
    }
    return render(request, "pages/sdk.html", context)


def latest(_request: HttpRequest) -> HttpResponse:
    """Redirect from a short address to the full file name that pip needs."""
    return redirect("pages:wheel", facts().file_name)


def _tag(_request: HttpRequest, name: str) -> str | None:
    return f'"{wheel().parent.name}"' if name == facts().file_name else None


@etag(_tag)
def download(_request: HttpRequest, name: str) -> HttpResponse:
    """Return the wheel under the name from which pip reads its version."""
    if name != facts().file_name:
        raise Http404
    response = HttpResponse(wheel().read_bytes(), content_type="application/octet-stream")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
