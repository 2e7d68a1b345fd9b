"""Inspecting bundles: do their lists of files give the digests they are known by."""

from league.blobs import inspection as blobs
from league.bots.bundles import sources
from league.bots.models import Source


def inspect(sample: int) -> tuple[int, list[str]]:
    """Look at random bundles and blobs. Return how many of both, and what is wrong."""
    bundles = Source.objects.filter(bundle=True).order_by("?").values_list("pk", flat=True)
    digests = list(bundles[:sample])
    wrong = [digest for digest in digests if sources.listing(digest).digest != digest]
    count, complaints = blobs.inspect(sample)
    lists = [f"the bundle {digest} has other files than its digest says" for digest in wrong]
    return len(digests) + count, [*complaints, *lists]
