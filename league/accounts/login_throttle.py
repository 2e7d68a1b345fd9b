"""Wrong passwords slow the guesser down, and never lock an owner out who comes from a known place.

Three rules, the first of them kept by axes:

1. From one address, one account is closed after `LOGIN_ATTEMPTS` wrong passwords.
2. After many wrong passwords for one account (from anywhere), or from one address (for any
   account), only one try is let through in a while, and the while doubles with every wrong one.
3. A browser in which the owner signed in before carries a signed cookie. For that account neither
   of the two rules counts there, until that very browser sends too many wrong passwords itself.
"""

from hashlib import sha256
from secrets import token_hex
from time import time
from typing import Any

from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

from league.accounts.models import User
from league.web.client_address import counted_address
from league.web.throttling import count, increment, read_count

FREE_OF_ACCOUNT = 20
FREE_OF_ADDRESS = 100
"""A class behind one address mistypes a lot on its first day."""
MAX_WAIT_SECONDS = 30
MEMORY_SECONDS = 60 * 60
BROWSER_MEMORY_SECONDS = 15 * 60
COOKIE = "karat_browser"
COOKIE_SECONDS = 60 * 60 * 24 * 365
MAX_USERS_OF_BROWSER = 5
_SALT = "league.accounts.known-browser"


def seconds_to_wait(request: HttpRequest, name: str) -> int:
    """Return 0 if a password for this name may be tried now, else how long to wait."""
    if is_known_browser(request, name):
        return 0
    return max(_pass(who, free) for who, free in _counted(request, name))


def note_wrong_password(request: HttpRequest, name: str) -> None:
    """Count a wrong password against the account, the address and the browser."""
    if known := _read_cookie(request):
        count(f"wrong-browser-{known['browser']}", BROWSER_MEMORY_SECONDS)
    for who, _ in _counted(request, name):
        increment(f"wrong-{who}", MEMORY_SECONDS)


def forget_wrong_passwords(user: User) -> None:
    """Let an account begin anew, whose owner signed in."""
    cache.delete(f"wrong-{_account(user.username)}")


def is_known_browser(request: HttpRequest, name: str) -> bool:
    """Tell whether the owner of this account signed in here before."""
    known = _read_cookie(request)
    if known is None:
        return False
    wrong_count = read_count(f"wrong-browser-{known['browser']}", BROWSER_MEMORY_SECONDS)
    if wrong_count >= settings.AXES_FAILURE_LIMIT:
        return False
    return User.objects.filter(pk__in=known["users"], username__iexact=name).exists()


def is_exempt(request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
    """Tell axes whom it never locks out."""
    name = (credentials or {}).get("username") or request.POST.get("username", "")
    return is_known_browser(request, str(name))


def remember_browser(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Let this browser count as known for the user from now on."""
    known = _read_cookie(request) or {"browser": token_hex(16), "users": []}
    users = [user.pk, *(pk for pk in known["users"] if pk != user.pk)][:MAX_USERS_OF_BROWSER]
    response.set_cookie(
        COOKIE,
        signing.dumps({"browser": known["browser"], "users": users}, salt=_SALT),
        max_age=COOKIE_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read_cookie(request: HttpRequest) -> dict[str, Any] | None:
    try:
        known: dict[str, Any] = signing.loads(
            request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=COOKIE_SECONDS
        )
    except signing.BadSignature:
        return None
    return known


def _counted(request: HttpRequest, name: str) -> list[tuple[str, int]]:
    return [
        (_account(name), FREE_OF_ACCOUNT),
        (f"address-{counted_address(request)}", FREE_OF_ADDRESS),
    ]


def _account(name: str) -> str:
    """Return a key of the cache for any name somebody may type."""
    return f"account-{sha256(name.lower().encode(errors='replace')).hexdigest()[:32]}"


def _pass(who: str, free: int) -> int:
    """Go through the gate and close it behind, if there were too many wrong passwords."""
    beyond = (cache.get(f"wrong-{who}") or 0) - free
    if beyond < 0:
        return 0
    # Capped before the power is taken: the count goes on for an hour.
    pause = min(2 ** min(beyond, 10), MAX_WAIT_SECONDS)
    gate = f"gate-{who}"
    if cache.add(gate, time() + pause, pause):
        return 0
    until = cache.get(gate) or time()
    return max(1, round(until - time()))
