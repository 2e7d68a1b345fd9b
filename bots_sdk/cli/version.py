"""The version of the SDK and of what it runs on, for a report of a problem."""

import platform
from importlib.metadata import PackageNotFoundError, version

from bots_sdk.installation import DISTRIBUTION


def version_line() -> str:
    """Return `karat 0.1.0 (Python 3.11.7, Linux x86_64)`."""
    try:
        number = version(DISTRIBUTION)
    except PackageNotFoundError:
        number = "not installed"
    system = f"{platform.system()} {platform.machine()}"
    return f"karat {number} (Python {platform.python_version()}, {system})"
