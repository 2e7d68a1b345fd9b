"""The generated parts of the authors' pages: real views, the limits, every error."""

import re
from pathlib import Path

from runners.box.manifest import manifest
from runners.box.policy import USELESS_MODULES
from runners.bundles.limits import BundleLimits
from runners.faults import CODES, message
from runners.limits import Limits
from runners.upload.bundle_source import MAX_PYTHON_MIB
from tests.bots_sdk.views_page import views_page
from tests.mistakes.outputs import HEADING

DOCS = Path(__file__).parents[2] / "docs"


def limits_page(page):
    limits = Limits()
    rows = [
        ("one decision", f"{limits.decision_cpu_ms} ms", f"{limits.decision_wall_ms // 1000} s"),
        (
            "all decisions of a match",
            f"{limits.bank_cpu_ms // 1000} s",
            f"{limits.bank_wall_ms // 1000} s",
        ),
        ("loading the file", f"{limits.load_cpu_ms // 1000} s", f"{limits.load_wall_ms // 1000} s"),
        (
            "the check of an upload, all its games together",
            "–",
            f"{limits.check_wall_ms // 1000} s",
        ),
    ]
    times = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    sizes = "".join(
        f"| {what} | {size} |\n"
        for what, size in (
            ("memory", f"{limits.memory_mib} MiB"),
            ("source file", f"{limits.source_kib} KiB"),
            ("output per match", f"{limits.log_kib} KiB are kept"),
            ("answer", f"{limits.reply_kib} KiB"),
        )
    )
    page = replace_rows(page, "| | CPU time | wall-clock time |", times)
    page = replace_rows(page, "| | maximum |", sizes)
    return replace_rows(page, "| of a bundle | maximum |", bundle_rows())


def bundle_rows():
    limits = BundleLimits()
    rows = (
        ("all files", f"{limits.unpacked_mib} MiB"),
        ("an archive", f"{limits.packed_mib} MiB"),
        ("files", f"{limits.files}"),
        ("parts of a path, the name included", f"{limits.depth}"),
        ("characters of a path", f"{limits.path_length}"),
        ("a Python file", f"{Limits().source_kib} KiB"),
        ("all Python files", f"{MAX_PYTHON_MIB} MiB"),
    )
    return "".join(f"| {what} | {size} |\n" for what, size in rows)


def replace_rows(page, head, rows):
    """The page with these rows below the head of a table."""
    begun = page.index("\n", page.index(f"\n{head}\n|---") + len(head) + 2) + 1
    end = begun
    while page.startswith("|", end):
        end = page.index("\n", end) + 1
    return page[:begun] + rows + page[end:]


KINDS = {
    "upload": ("Before a match: the check", "The version is not accepted."),
    "load": ("In a match", "The seat forfeits before its first move."),
    "soft": ("In a match", "A fallback move is played. The third in one match forfeits."),
    "hard": ("In a match", "The seat forfeits; fallback moves finish its game."),
    "notice": ("In a match", "Nothing happens; it is only said."),
    "wait": ("Not your fault", "Nothing is wrong."),
    "ours": ("Not your fault", "It never costs you anything."),
    "limit": ("Refused", "Nothing was changed."),
}
"""Where a code stands on the page, and what follows from it."""


def errors_page(page):
    parts = [
        "# Errors\n",
        "Every message of Karat has a code. This page has all of them, in the words of the command",
        "and the site, which also say where it happened.\n",
    ]
    chapter = None
    for code, one in CODES.items():
        title, consequence = KINDS[one.kind]
        title = KINDS["upload"][0] if code.startswith("E1") else title
        if title != chapter:
            parts.append(f"## {title}\n")
            chapter = title
        told = message(code)
        parts.append(f"### {code} {one.title}\n\n{told.explanation}\n\n{told.fix}\n")
        parts.append(f"*{consequence}*\n")
        if code == "E105":
            parts.append(imports())
    # What follows takes real boxes and a league: tests/league/bots/test_mistakes.py writes it.
    _, heading, mistakes = page.partition(f"\n{HEADING}\n")
    return "\n".join(parts) + heading + mistakes


def imports():
    gone = sorted(name for name in USELESS_MODULES if not name.startswith("_"))
    ours = ", ".join(f"`{name}`" for name in sorted(manifest().importable))
    wrapped = re.sub(r"(.{1,96})(?: |$)", r"\1\n", ", ".join(f"`{name}`" for name in gone) + ".")
    return (
        f"A file may import {ours} and the whole standard library, except these\n"
        f"modules, which cannot work in a box:\n\n{wrapped}"
    )


PAGES = {
    "views.md": views_page,
    "limits.md": limits_page,
    "errors.md": errors_page,
}
"""For each page with generated parts: the page as it should be, given the page as it is."""
