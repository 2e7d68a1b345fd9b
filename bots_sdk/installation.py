"""How this SDK was installed, and the command that installs it again with more packages.

Every league serves its own SDK, and another package on the public index may have a similar name: so
the command names the address that the SDK came from.
"""

import json
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any

DISTRIBUTION = "karat-league"
UNKNOWN_ORIGIN = "the command that the page /sdk/ of your league shows"
IN_A_CLONE = "make setup"


def requirement(url: str, extra: str = "") -> str:
    """Return what pip is asked for: a wheel at an address, with an extra if one is named."""
    return f"{DISTRIBUTION}{f'[{extra}]' if extra else ''} @ {url}"


def install_command(extra: str = "") -> str:
    """Return the command that installs this SDK with an extra, from where it came."""
    origin = _origin()
    url = origin.get("url")
    if not isinstance(url, str):
        return UNKNOWN_ORIGIN
    if "dir_info" in origin:
        return IN_A_CLONE
    return f'pip install "{requirement(url, extra)}"'


def _origin() -> dict[str, Any]:
    """Return what pip noted about the origin (PEP 610); nothing if it noted nothing."""
    try:
        text = distribution(DISTRIBUTION).read_text("direct_url.json")
        origin = json.loads(text or "{}")
    except (PackageNotFoundError, ValueError):
        return {}
    return origin if isinstance(origin, dict) else {}
