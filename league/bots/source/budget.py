"""How much static reading one person may ask for: seconds of CPU, counted by minutes."""

from time import monotonic

from django.conf import settings
from django.http import HttpRequest

from league.accounts.models import User
from league.bots.bundles.sent_files import SentFiles
from league.bots.source.findings import Reading, read, read_sent
from league.errors import Refused
from league.web.client_address import counted_address
from league.web.throttling import count, read_count, seconds_to_next

MAX_USER_SECONDS = 20
"""A minute. An ordinary file takes 0.1 s."""
MAX_GUEST_SECONDS = 60
"""For all guests at one address; half of what a process can read in a minute."""
_WINDOW_SECONDS = 60


def read_for(request: HttpRequest, source: bytes | SentFiles) -> Reading:
    """Read a file or a bundle, unless this person has asked for too much; `Refused` then."""
    if isinstance(request.user, User):
        client, max_seconds = f"user-{request.user.pk}", MAX_USER_SECONDS
    else:
        client, max_seconds = f"guests-{counted_address(request)}", MAX_GUEST_SECONDS
    name = f"reading-ms-{client}"
    if read_count(name, _WINDOW_SECONDS) > max_seconds * 1000:
        raise Refused("L008", status=429, seconds=seconds_to_next(_WINDOW_SECONDS))
    started = monotonic()
    try:
        if isinstance(source, SentFiles):
            return read_sent(source, settings.LIMITS)
        return read(source, settings.LIMITS)
    finally:
        count(name, _WINDOW_SECONDS, times=round((monotonic() - started) * 1000))
