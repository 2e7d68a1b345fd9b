"""Throttling of wrong passwords that never locks out owners in browsers they used before.

Three rules, the first of them enforced by axes:

1. An account is locked for an address after `LOGIN_ATTEMPTS` wrong passwords from there.
2. After many wrong passwords for one account (from anywhere), or from one address (for any
   account), attempts are let through one at a time, and the pause doubles with every wrong one.
3. A browser in which the owner signed in before carries a signed cookie. For that account it is
   exempt from both rules, until this browser itself sends too many wrong passwords.
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
"""A class behind one address makes many typing errors on its first day."""
MAX_WAIT_SECONDS = 30
MEMORY_SECONDS = 60 * 60
BROWSER_MEMORY_SECONDS = 15 * 60
COOKIE = "karat_browser"
COOKIE_SECONDS = 60 * 60 * 24 * 365
MAX_USERS_OF_BROWSER = 5
_SALT = "league.accounts.known-browser"


def seconds_to_wait(request: HttpRequest, name: str) -> int:
    """Return the seconds to wait before the next password for this name, or 0."""
    if is_known_browser(request, name):
        return 0
    return max(_pass(who, free) for who, free in _counted(request, name))


def note_wrong_password(request: HttpRequest, name: str) -> None:
    """Count a wrong password against the account, the address and the browser."""
    if cookie := _read_cookie(request):
        count(f"wrong-browser-{cookie['browser']}", BROWSER_MEMORY_SECONDS)
    for who, _ in _counted(request, name):
        increment(f"wrong-{who}", MEMORY_SECONDS)


def forget_wrong_passwords(user: User) -> None:
    """Reset the count of an account whose owner has signed in."""
    cache.delete(f"wrong-{_account(user.username)}")


def is_known_browser(request: HttpRequest, name: str) -> bool:
    """Return whether the owner of this account signed in here before."""
    cookie = _read_cookie(request)
    if cookie is None:
        return False
    wrong_count = read_count(f"wrong-browser-{cookie['browser']}", BROWSER_MEMORY_SECONDS)
    if wrong_count >= settings.AXES_FAILURE_LIMIT:
        return False
    return User.objects.filter(pk__in=cookie["users"], username__iexact=name).exists()


def is_exempt(request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
    """Return whether axes must not lock this browser out."""
    name = (credentials or {}).get("username") or request.POST.get("username", "")
    return is_known_browser(request, str(name))


def remember_browser(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Mark this browser as known for the user with a signed cookie."""
    cookie = _read_cookie(request) or {"browser": token_hex(16), "users": []}
    users = [user.pk, *(pk for pk in cookie["users"] if pk != user.pk)][:MAX_USERS_OF_BROWSER]
    response.set_cookie(
        COOKIE,
        signing.dumps({"browser": cookie["browser"], "users": users}, salt=_SALT),
        max_age=COOKIE_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read_cookie(request: HttpRequest) -> dict[str, Any] | None:
    try:
        cookie: dict[str, Any] = signing.loads(
            request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=COOKIE_SECONDS
        )
    except signing.BadSignature:
        return None
    return cookie


def _counted(request: HttpRequest, name: str) -> list[tuple[str, int]]:
    return [
        (_account(name), FREE_OF_ACCOUNT),
        (f"address-{counted_address(request)}", FREE_OF_ADDRESS),
    ]


def _account(name: str) -> str:
    """Return a safe cache key for any name somebody may type."""
    return f"account-{sha256(name.lower().encode(errors='replace')).hexdigest()[:32]}"


def _pass(who: str, free: int) -> int:
    """Return the seconds to wait, or 0 and close the gate after too many wrong passwords."""
    beyond = (cache.get(f"wrong-{who}") or 0) - free
    if beyond < 0:
        return 0
    # The exponent is capped because the count keeps growing for an hour.
    pause = min(2 ** min(beyond, 10), MAX_WAIT_SECONDS)
    gate = f"gate-{who}"
    if cache.add(gate, time() + pause, pause):
        return 0
    until = cache.get(gate) or time()
    return max(1, round(until - time()))
