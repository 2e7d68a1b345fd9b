"""Which league the commands talk to, and with which key: from the environment, or from a file.

The file is readable by its owner alone.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import typer

from bots_sdk.cli.output import NO, answer_no, refuse, say
from bots_sdk.client.api import Client, NoLeague, Refused


@dataclass(frozen=True, slots=True)
class Account:
    """The address of a league and a key for it."""

    url: str
    token: str


def account_path() -> Path:
    """Return the file that `karat login` writes."""
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "karat" / "league.json"


def load_account() -> Account | None:
    """Return the account of this user, if there is one; the environment goes before the file."""
    saved = _read(account_path())
    url = os.environ.get("KARAT_URL") or saved.get("url")
    token = os.environ.get("KARAT_TOKEN")
    # A key belongs to its league: it is never sent to another that the environment names.
    if not token and url == saved.get("url"):
        token = saved.get("token")
    return Account(url, token) if url and token else None


def league_url() -> str | None:
    """Return the league's address, if it is known."""
    return os.environ.get("KARAT_URL") or _read(account_path()).get("url")


def _read(path: Path) -> dict[str, str]:
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        refuse(f"{path} cannot be read; run karat login again.")
    return {name: value for name, value in fields.items() if isinstance(value, str)}


def save(account: Account) -> Path:
    """Write the account to its file, for its owner's eyes only, and return the path."""
    path = account_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = path.with_suffix(".new")
        new.unlink(missing_ok=True)
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump({"url": account.url, "token": account.token}, file)
        new.replace(path)
    except OSError as error:
        refuse(f"{path} cannot be written: {error.strerror}.")
    return path


def connect() -> Client:
    """Return the league of this user, or say how to log in and end."""
    account = load_account()
    if account is None:
        url = league_url()
        page = f"{url}/me/tokens/ " if url else "/me/tokens/ on the site of your league"
        say(f"No access key yet. Open {page}, create a key and run:")
        say("  karat login")
        raise typer.Exit(NO)
    with explain_refusals():
        return Client(account.url, account.token)


@contextmanager
def explain_refusals() -> Iterator[None]:
    """Say in a sentence what goes wrong while the block talks to a league."""
    try:
        yield
    except (NoLeague, Refused) as error:
        answer_no(str(error))
