"""What every bundle must keep to, wherever its files come from. A file is known by path and size.

The limited child applies these rules before it unpacks, and the parent again to what comes back.
"""

from collections.abc import Iterable, Mapping

from runners.bundles.bundle import ENTRY_FILES
from runners.bundles.limits import BundleLimits
from runners.bundles.paths import (
    OUTSIDE,
    is_junk,
    leads_out,
    path_problem,
    problems_of,
    show,
    without_top_folder,
)
from runners.upload.finding import Finding


def unusable(reason: str, file: str | None = None) -> Finding:
    """Return the finding that a bundle, or a file of it, cannot be used for this reason."""
    name = None if file is None else show(file)
    return Finding("E109", {"file": name, "reason": reason}, file=name)


def places(names: Iterable[str]) -> dict[str, str]:
    """Return the place in the bundle of each file that belongs to it, without a common top folder.

    Raise a `Finding` for a name that leads out of the bundle: it may lead out of the top folder.
    """
    kept = [name for name in names if not is_junk(name)]
    for name in kept:
        if leads_out(name):
            raise unusable(OUTSIDE, name)
    return without_top_folder(kept)


def check_files(sizes: Mapping[str, int], limits: BundleLimits) -> None:
    """Raise a `Finding` if files of these sizes are no bundle."""
    check_count(len(sizes), limits)
    for path in sizes:
        if reason := path_problem(path, limits):
            raise unusable(reason, path)
    for path, reason in problems_of(sizes):
        raise unusable(reason, path)
    check_size(sizes, limits)
    if not any(entry in sizes for entry in ENTRY_FILES):
        raise unusable(
            "no `bot.py` is at the top of the bundle; give the file with the bot this name"
        )


def check_count(count: int, limits: BundleLimits) -> None:
    """Raise a `Finding` if these are too many files."""
    if count > limits.files:
        raise unusable(
            f"the bundle has {count:,} files, the limit is {limits.files:,};"
            " leave out what the bot does not load, or put small files together"
        )


def check_size(sizes: Mapping[str, int], limits: BundleLimits) -> None:
    """Raise a `Finding` if the files together are too large; it names the largest."""
    if (total := sum(sizes.values())) > limits.unpacked_bytes:
        largest = max(sizes, key=lambda path: sizes[path])
        raise unusable(
            f"the files have {megabytes(total)} MB together, the limit is {limits.unpacked_mib} MB,"
            f" and this is the largest with {megabytes(sizes[largest])} MB;"
            " leave it out or store smaller numbers",
            largest,
        )


def check_packed_size(size: int, limits: BundleLimits) -> None:
    """Raise a `Finding` if an archive of this size is too large to be uploaded."""
    if size > limits.packed_bytes:
        raise unusable(
            f"the archive has {megabytes(size)} MB, the limit is {limits.packed_mib} MB;"
            " compress it, or leave out what the bot does not load"
        )


def megabytes(size: int) -> str:
    """Return a size to show, rounded up: what is over a limit never looks as if it were not."""
    return f"{-(-size * 10 >> 20) / 10:,.1f}"
