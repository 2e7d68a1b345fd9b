"""Which league the commands speak to, and with which key: from the environment, or kept in a file.

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
    """An address and a key."""

    url: str
    token: str


def kept_in() -> Path:
    """The file that `karat login` writes."""
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "karat" / "league.json"


def known() -> Account | None:
    """The account of this user, if there is one; the environment goes before the file."""
    kept = _read(kept_in())
    url = os.environ.get("KARAT_URL") or kept.get("url")
    token = os.environ.get("KARAT_TOKEN")
    # A key belongs to its league: it is never sent to another that the environment names.
    if not token and url == kept.get("url"):
        token = kept.get("token")
    return Account(url, token) if url and token else None


def address() -> str | None:
    """The league's address, if it is known."""
    return os.environ.get("KARAT_URL") or _read(kept_in()).get("url")


def _read(path: Path) -> dict[str, str]:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        refuse(f"{path} cannot be read; run karat login again.")
    return {name: value for name, value in kept.items() if isinstance(value, str)}


def keep(account: Account) -> Path:
    """Write the account down, for its owner's eyes only."""
    path = kept_in()
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


def signed_in() -> Client:
    """The league of this user, or the way to one."""
    account = known()
    if account is None:
        url = address()
        page = f"{url}/me/tokens/ " if url else "/me/tokens/ on the site of your league"
        say(f"No access key yet. Open {page}, create a key and run:")
        say("  karat login")
        raise typer.Exit(NO)
    with speaking():
        return Client(account.url, account.token)


@contextmanager
def speaking() -> Iterator[None]:
    """What can go wrong while a league is spoken to, said in a sentence."""
    try:
        yield
    except (NoLeague, Refused) as error:
        answer_no(str(error))
