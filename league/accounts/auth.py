"""Authentication of API callers: owners of an access key, or guests. Cookies do not count."""

from dataclasses import dataclass
from typing import ClassVar

from django.conf import settings
from django.http import HttpRequest
from ninja.errors import Throttled
from ninja.security import HttpBearer
from ninja.throttling import BaseThrottle

from league.accounts import services
from league.accounts.models import Token, User
from league.errors import Refused
from league.web import throttling
from league.web.client_address import counted_address

WINDOW_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of an endpoint, and what their key may do."""

    user: User | None = None
    token: Token | None = None

    @property
    def owner(self) -> User:
        """The user, for endpoints that do not admit guests."""
        assert self.user is not None
        return self.user

    def may(self, scope: Token.Scope) -> bool:
        """Return whether the key has this scope."""
        return self.token is not None and scope in self.token.scopes

    def is_user(self, pk: int | None) -> bool:
        """Return whether the caller is this user. Nobody owns a house bot."""
        return self.user is not None and self.user.pk == pk


GUEST = Caller()


class ApiRequest(HttpRequest):
    """A request whose key has been checked."""

    auth: Caller


class Throttle(BaseThrottle):
    """A limit per minute for each user, over all their keys, and for each address of guests.

    Threads share it, so the counts are in the cache.
    """

    def allow_request(self, request: HttpRequest) -> bool:
        """Count the request, and return whether it is within the limit."""
        user = getattr(request, "auth", GUEST).user
        limit = settings.API_REQUESTS_OF_KEY if user else settings.API_REQUESTS_OF_GUEST
        who = f"user-{user.pk}" if user else f"guest-{counted_address(request)}"
        return throttling.count(f"requests-{who}", WINDOW_SECONDS) <= int(limit)

    def wait(self) -> float:
        """Return the seconds until the next minute."""
        return throttling.seconds_to_next(WINDOW_SECONDS)


throttle = Throttle()


class _AccessKey(HttpBearer):
    """An access key, created at /me/tokens/."""

    scope: ClassVar[Token.Scope | None] = None

    def __call__(self, request: HttpRequest) -> Caller:
        """Return the owner of the key. An invalid key is refused even where none is needed."""
        header = request.headers.get("Authorization")
        if header is None:
            return self.guest()
        scheme, _, secret = header.partition(" ")
        if scheme.lower() != "bearer":
            raise Refused(
                "L007", status=401, reason="The access key must be sent as a bearer token"
            )
        return self.authenticate(request, secret.strip())

    def guest(self) -> Caller:
        """Refuse a request without a key."""
        raise Refused("L007", status=401, reason="This needs an access key")

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        """Return the owner of a valid key with the scope."""
        access_key = services.find_token(token)
        if access_key is None:
            # Guessing keys must not be faster than the requests of a guest.
            if not throttle.allow_request(request):
                raise Throttled(int(throttle.wait()))
            raise Refused("L007", status=401, reason="The access key is unknown or revoked")
        caller = Caller(access_key.user, access_key)
        if self.scope is not None:
            require(caller, self.scope)
        return caller


class Anyone(_AccessKey):
    """An optional key: guests are admitted; a key gives access to its owner's private data."""

    openapi_description = "Optional. With a key you also see your own private data."

    def guest(self) -> Caller:
        """Admit a guest."""
        return GUEST


class AnyKey(_AccessKey):
    """A valid key, whatever its scopes."""

    openapi_description = "An access key."


class Reader(_AccessKey):
    """A key that may read its owner's private data."""

    scope = Token.Scope.READ
    openapi_description = "An access key with the scope `read`."


class Uploader(_AccessKey):
    """A key that may upload bots and request matches."""

    scope = Token.Scope.UPLOAD
    openapi_description = "An access key with the scope `upload`."


class Organiser(_AccessKey):
    """A key that may run tournaments."""

    scope = Token.Scope.ORGANISE
    openapi_description = "An access key with the scope `organise`."


anyone, any_key, reader, uploader, organiser = Anyone(), AnyKey(), Reader(), Uploader(), Organiser()


def require(caller: Caller, scope: Token.Scope) -> None:
    """Refuse guests and keys without the scope."""
    if caller.token is None:
        raise Refused("L007", status=401, reason="This needs an access key")
    if not caller.may(scope):
        raise Refused("L007", status=403, reason=f"The access key lacks the scope `{scope.value}`")
