"""Who asks the API: the owner of an access key, or a guest. Sessions and cookies do not count."""

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
    """Who asks, and what their key may do."""

    user: User | None = None
    token: Token | None = None

    @property
    def owner(self) -> User:
        """The user, where the endpoint takes no guests."""
        assert self.user is not None
        return self.user

    def may(self, scope: Token.Scope) -> bool:
        """Whether the key has this scope."""
        return self.token is not None and scope in self.token.scopes

    def is_user(self, pk: int | None) -> bool:
        """Whether it is this user. Nobody is the owner of a house bot."""
        return self.user is not None and self.user.pk == pk


GUEST = Caller()


class ApiRequest(HttpRequest):
    """A request after its key was looked at."""

    auth: Caller


class Throttle(BaseThrottle):
    """So many requests a minute for each user, whatever their keys, and for each address of guests.

    It keeps nothing itself, as threads share it: the counts are in the cache.
    """

    def allow_request(self, request: HttpRequest) -> bool:
        """Count the request."""
        user = getattr(request, "auth", GUEST).user
        most = settings.API_REQUESTS_OF_KEY if user else settings.API_REQUESTS_OF_GUEST
        who = f"user-{user.pk}" if user else f"guest-{counted_address(request)}"
        return throttling.count(f"requests-{who}", WINDOW_SECONDS) <= int(most)

    def wait(self) -> float:
        """Until the next minute begins."""
        return throttling.seconds_to_next(WINDOW_SECONDS)


throttle = Throttle()


class _AccessKey(HttpBearer):
    """A key that was shown once at /me/tokens/."""

    scope: ClassVar[Token.Scope | None] = None

    def __call__(self, request: HttpRequest) -> Caller:
        """The owner of the key. A key that is not valid is refused even where none is needed."""
        said = request.headers.get("Authorization")
        if said is None:
            return self.guest()
        scheme, _, secret = said.partition(" ")
        if scheme.lower() != "bearer":
            raise Refused("L007", status=401, reason="The access key must come as a bearer token")
        return self.authenticate(request, secret.strip())

    def guest(self) -> Caller:
        """What happens without a key."""
        raise Refused("L007", status=401, reason="This needs an access key")

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        """The owner of a valid key with the scope."""
        found = services.find_token(token)
        if found is None:
            # Nobody may try keys faster than a guest may ask.
            if not throttle.allow_request(request):
                raise Throttled(int(throttle.wait()))
            raise Refused("L007", status=401, reason="The access key is unknown or revoked")
        caller = Caller(found.user, found)
        if self.scope is not None:
            require(caller, self.scope)
        return caller


class Anyone(_AccessKey):
    """Guests are welcome; a key shows what is one's own."""

    openapi_description = "Not needed. With a key one also sees what is one's own."

    def guest(self) -> Caller:
        """A guest, then."""
        return GUEST


class AnyKey(_AccessKey):
    """A valid key, whatever its scopes."""

    openapi_description = "An access key."


class Reader(_AccessKey):
    """A key that may read what is its owner's."""

    scope = Token.Scope.READ
    openapi_description = "An access key with the scope `read`."


class Uploader(_AccessKey):
    """A key that may upload and ask for matches."""

    scope = Token.Scope.UPLOAD
    openapi_description = "An access key with the scope `upload`."


class Organiser(_AccessKey):
    """A key that may run tournaments."""

    scope = Token.Scope.ORGANISE
    openapi_description = "An access key with the scope `organise`."


anyone, any_key, reader, uploader, organiser = Anyone(), AnyKey(), Reader(), Uploader(), Organiser()


def require(caller: Caller, scope: Token.Scope) -> None:
    """Refuse a guest, or a key without the scope."""
    if caller.token is None:
        raise Refused("L007", status=401, reason="This needs an access key")
    if not caller.may(scope):
        raise Refused("L007", status=403, reason=f"The access key lacks the scope `{scope.value}`")
