"""`karat login`: which league, and with which key."""

import os

import typer

from bots_sdk.cli.account import Account, explain_refusals, league_url, save
from bots_sdk.cli.output import print_json, say
from bots_sdk.client.api import Client


def run(url: str | None, token: str | None, as_json: bool) -> None:
    """Ask for what is missing, try it, and save it."""
    url = url or typer.prompt("Address of the league", default=league_url())
    if "://" not in url:
        url = f"https://{url}"
    url = url.rstrip("/")
    token = token or os.environ.get("KARAT_TOKEN")
    if not token:
        token = typer.prompt(f"Access key (create one at {url}/me/tokens/)", hide_input=True)
    with explain_refusals():
        me = Client(url, token.strip()).me()
    path = save(Account(url, token.strip()))
    name = str(me.get("name", "somebody"))
    scopes = [str(scope) for scope in me.get("scopes") or []]
    if as_json:
        print_json({"name": name, "url": url, "scopes": scopes, "file": str(path)})
        return
    say(f"Hello {name}. The key is saved in {path}.")
    if scopes and "upload" not in scopes:
        say("It cannot upload; for karat push, create a key with the scope “upload”.")
    else:
        say("Next:  karat push my_bot.py")
