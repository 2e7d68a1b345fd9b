"""`karat push`: upload a bot, follow its checks, print the result."""

import re
from dataclasses import replace
from pathlib import Path
from time import perf_counter, sleep

import typer

from bots_sdk.cli.account import connect, explain_refusals
from bots_sdk.cli.bots import read_bot_file
from bots_sdk.cli.commands.check import show_step
from bots_sdk.cli.local_check import failed_steps
from bots_sdk.cli.output import NO, answer_no, aside, plural, print_json, say, show_transfer
from bots_sdk.cli.own_bots import find_own_bot, own_bots
from bots_sdk.client.api import Client, Version
from bots_sdk.client.bundle_uploads import BundleUpload, TooOld
from bots_sdk.local.matches import Entrant, program
from engine.narration import ordinal
from runners.bundles.bundle import Bundle
from runners.bundles.own import is_bundle, read_bundle
from runners.faults import message
from runners.upload.source import Finding

POLL_SECONDS = 0.25, 2.0
"""How long to wait before asking again: at first, and at most."""


def run(path: Path, note: str, name_or_slug: str | None, checked: bool, as_json: bool) -> None:
    """Upload, wait for the checks, show them; exit status 1 if the league does not take it."""
    entrant = read_bot_file(path)
    content = _read(path)
    client = connect()
    if checked:
        _check_here(content, path, as_json)
    name = _class_name(entrant)
    with explain_refusals():
        bot = find_own_bot(client, name_or_slug).slug if name_or_slug else _bot(client, name)
        uploaded = _upload(client, bot, content, note)
        version = _wait_for_checks(client, bot, uploaded)
    if as_json:
        print_json({"bot": bot, **_as_json(version)})
    else:
        _show(name, version, path)
    if version.done and not version.plays:
        raise typer.Exit(NO)


def _read(path: Path) -> str | Bundle:
    """Return what is checked and uploaded: the text of a file, or a bundle."""
    return read_bundle(path) if is_bundle(path) else path.read_text(encoding="utf-8-sig")


def _upload(client: Client, bot: str, content: str | Bundle, note: str) -> Version:
    """Upload a file or a bundle, of which only what the league lacks is sent."""
    if isinstance(content, str):
        return client.upload(bot, content, note)
    try:
        with show_transfer("Uploading") as report:
            return BundleUpload(client, bot, content, note, report=report).send()
    except TooOld:
        answer_no(
            "This league takes bots of a single .py file only: it is too old for bots with "
            "files. Ask who runs it to update it, or put everything into one file."
        )


def _check_here(content: str | Bundle, path: Path, as_json: bool) -> None:
    """Check the bot on this machine; one that fails is not uploaded."""
    data = content.encode() if isinstance(content, str) else content
    steps = failed_steps(data, path.name)
    if not steps:
        return
    if as_json:
        print_json({"status": "not uploaded", "steps": steps})
    else:
        for number, step in enumerate(steps, 1):
            show_step(number, step, path)
        say(f"Not uploaded. To upload it nevertheless:  karat push {path} --no-check")
    raise typer.Exit(NO)


def _class_name(entrant: Entrant) -> str:
    """Return the name of the bot; a file without one is not sent at all."""
    try:
        return program(entrant).bot
    except Finding as finding:
        error = message(finding.code, **finding.values)
        answer_no(f"{error.code} {error.title}. {error.explanation} {error.fix}")


def _bot(client: Client, name: str) -> str:
    """Return the user's bot of this name as in its address; create it if there is none."""
    for bot in own_bots(client):
        if bot.name.casefold() == name.casefold():
            return bot.slug
    return client.create_bot(name)


def _wait_for_checks(client: Client, bot: str, version: Version) -> Version:
    """Poll until all checks have been made. Ctrl-C stops the polling, not the checks."""
    wait, max_wait = POLL_SECONDS
    started_at = perf_counter()
    reused = version.reused
    try:
        with aside.status("Uploaded") as status:
            while not version.done:
                status.update(f"{_progress(version)} ({perf_counter() - started_at:.0f} s)")
                sleep(wait)
                wait = min(wait * 1.5, max_wait)
                version = client.version(bot, version.number)
    except KeyboardInterrupt:
        aside.print("The checks go on without you.")
    return replace(version, reused=reused)


def _progress(version: Version) -> str:
    """Return what an author who waits should know."""
    if version.status == "waiting":
        notice = message("W001", place=version.place_in_queue)
        return f"{notice.title}. {notice.explanation} {notice.fix}"
    return f"Checking: {plural(len(version.steps), 'step')} done"


def _show(name: str, version: Version, path: Path) -> None:
    had = "The league has this code already:" if version.reused else "Uploaded"
    say(f"{had} {name} v{version.number}{_fate(version)}")
    if version.status == "rejected":
        for number, step in enumerate(version.steps, 1):
            show_step(number, step, path)
    for url in _watch_urls(version):
        say(f"Watch it:   {url}")
    say(f"Follow it:  {version.url}")


def _fate(version: Version) -> str:
    """Return what became of a version, to be read after its name."""
    if version.benched_because:
        why = f" is benched: {version.benched_because}."
        return f"{why} Unbench it if you think it was our fault, or change the code."
    if version.plays and version.reused:
        return " plays again, with its old rating."
    if version.plays:
        seconds = sum(float(step.get("ms") or 0) for step in version.steps) / 1000
        return f". Checks passed in {seconds:.0f} s.{_smoke_match(version)}"
    if version.status == "rejected":
        # Steps quote the code, so a league shows them only to keys that may read.
        why = "" if version.steps else f" {version.code}: a key with the scope `read` sees more."
        return f". It did not pass its checks.{why}"
    if version.status == "stuck":
        error = message("S002")
        return f". {error.code} {error.title}. {error.explanation} {error.fix}"
    return f". Its checks are not finished: {version.status}."


def _smoke_match(version: Version) -> str:
    """Return how the bot did in the match of its checks."""
    text = next((str(s.get("text")) for s in version.steps if s.get("name") == "match"), "")
    place = re.search(r"place (\d+) of (\d+)", text)
    return f" Smoke match: {ordinal(int(place[1]))} of {place[2]}." if place else ""


def _watch_urls(version: Version) -> list[str]:
    """Return where the matches of its checks can be watched."""
    return [str(step["watch_url"]) for step in version.steps if step.get("watch_url")]


def _as_json(version: Version) -> dict[str, object]:
    return {
        "number": version.number,
        "status": version.status,
        "url": version.url,
        "reused": version.reused,
        "steps": version.steps,
    }
