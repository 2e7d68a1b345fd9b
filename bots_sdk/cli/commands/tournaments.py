"""`karat tournaments`, `karat enter` and `karat follow`: the tournaments of the league."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from time import sleep
from typing import Any

import typer

from bots_sdk.cli.account import connect, explain_refusals, league_url, load_account
from bots_sdk.cli.output import (
    NO,
    answer_no,
    aside,
    ledger,
    plural,
    print_json,
    say,
    say_table,
    suggest,
)
from bots_sdk.cli.own_bots import find_own_bot
from bots_sdk.client.api import Client, Refused
from engine.narration import ordinal

POLL_SECONDS = 2.0
OVER = frozenset({"final", "cancelled"})
TOP = 8


def list_tournaments(as_json: bool) -> None:
    """Print the tournaments, the latest first."""
    with explain_refusals():
        tournaments = _client().tournaments()
    if as_json:
        print_json({"tournaments": tournaments})
        return
    if not tournaments:
        say("There are no tournaments.")
        return
    table = ledger("tournament", "game", "state", "starts")
    for one in tournaments:
        table.add_row(*(str(one.get(name)) for name in ("slug", "game", "state", "starts_at")))
    say_table(table)
    if enterable := [str(one.get("slug")) for one in tournaments if one.get("state") == "open"]:
        say(f"Next:  karat enter {enterable[0]} YOUR-BOT")
    else:
        say(f"Next:  karat follow {tournaments[0].get('slug')}")


def enter(tournament: str, bot: str, code: str, as_json: bool) -> None:
    """Enter a bot in a tournament."""
    client = connect()
    with explain_refusals(), _suggest_tournament(client, tournament):
        entry = client.enter(tournament, find_own_bot(client, bot).slug, code)
    if as_json:
        print_json(entry)
    else:
        say(f"{entry.get('name', bot)} is in {tournament}.")
        say(f"Follow it:  karat follow {tournament}")


def follow(tournament: str, as_json: bool) -> None:
    """Wait for a tournament to end and show who won. Ctrl-C only stops the waiting."""
    client = _client()
    with explain_refusals(), _suggest_tournament(client, tournament):
        now = _wait_for_end(client, tournament)
        rows = client.standings(tournament)
    if as_json:
        print_json({"tournament": now, "standings": rows})
    else:
        _show(now, rows)
    if now.get("state") == "cancelled":
        raise typer.Exit(NO)


def _client() -> Client:
    """Return the league; looking at tournaments needs no key."""
    url = league_url()
    if url is None:
        answer_no("Which league? Run karat login, or set KARAT_URL.")
    account = load_account()
    with explain_refusals():
        return Client(url, account.token if account else None)


@contextmanager
def _suggest_tournament(client: Client, word: str) -> Iterator[None]:
    """Say which tournament was probably meant if the league knows none of this name."""
    try:
        yield
    except Refused as error:
        if error.status != HTTPStatus.NOT_FOUND:
            raise
        slugs = [str(one.get("slug")) for one in client.tournaments()]
        if word in slugs:
            raise
        answer_no(f"There is no tournament {word!r}; see karat tournaments.{suggest(word, slugs)}")


def _wait_for_end(client: Client, tournament: str) -> dict[str, Any]:
    now = client.tournament(tournament)
    try:
        with aside.status(_progress(now)) as status:
            while now.get("state") not in OVER:
                sleep(POLL_SECONDS)
                now = client.tournament(tournament)
                status.update(_progress(now))
    except KeyboardInterrupt:
        aside.print("The tournament goes on without you.")
    return now


def _progress(now: dict[str, Any]) -> str:
    if now.get("state") == "running":
        return (
            f"Round {now.get('round')} of {now.get('rounds')},"
            f" {now.get('games_over')} of {now.get('games')} games"
        )
    bots = plural(len(now.get("entries") or []), "bot")
    return f"{now.get('state')}, {bots}, starts {now.get('starts_at')}"


def _summary(now: dict[str, Any]) -> str:
    """Return the state and how many take part: once each, however the waiting ended."""
    if now.get("state") not in OVER:
        return _progress(now)
    bots = plural(len(now.get("entries") or []), "bot")
    return f"{now.get('state')}, {bots}, {plural(int(now.get('games_over') or 0), 'game')}"


def _show(now: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    say(f"{now.get('name')}: {_summary(now)}.")
    if now.get("cancelled_because"):
        say(str(now["cancelled_because"]))
    if rows:
        table = ledger("place", "bot", ">points", ">games", "decided by")
        for row in rows[:TOP]:
            place = row.get("place")
            table.add_row(
                ordinal(place) if isinstance(place, int) else "–",
                str(row.get("name")),
                f"{round(float(row.get('points') or 0), 2):g}",
                *(str(row.get(name)) for name in ("games", "decided_by")),
            )
        say_table(table)
    say(f"{now.get('url')}")
