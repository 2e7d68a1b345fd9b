"""Services for users and access keys."""

import secrets
from datetime import timedelta
from hashlib import sha256

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models.functions import Length
from django.utils import timezone

from league.accounts import names
from league.accounts.models import Token, User
from league.errors import Refused

USED_AGAIN_AFTER = timedelta(minutes=5)
"""A key's last use is written at most this often."""
MAX_TOKENS = 20


def take_turns(user: User) -> None:
    """Lock the user's row until the transaction ends.

    Without the lock, concurrent requests of one user would all see the same remaining quota.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)


def name_refusal(name: str, user: User | None = None) -> str | None:
    """Return why a new user, or this one, may not have the name; None if it is fine."""
    if reason := names.refusal_reason(name):
        return reason
    others = User.objects.alias(length=Length("username")).filter(length=len(name))
    if user is not None:
        others = others.exclude(pk=user.pk)
    if other := names.lookalike(name, others.values_list("username", flat=True)):
        return f"It looks like `{other}`, which is somebody else's name"
    return None


@transaction.atomic
def create_token(user: User, name: str, scopes: list[str]) -> tuple[Token, str]:
    """Create a key. Return it with its secret, which is shown only once."""
    unknown = set(scopes) - set(Token.Scope.values)
    if unknown or not scopes:
        known = ", ".join(Token.Scope.values)
        raise Refused("L009", status=422, reason=f"A key needs one or more of the scopes {known}")
    take_turns(user)
    if user.tokens.valid().count() >= MAX_TOKENS:
        raise Refused("L009", reason=f"You have {MAX_TOKENS} keys; revoke one first")
    secret = f"karat_{secrets.token_urlsafe(32)}"
    token = user.tokens.create(
        name=name.strip()[:60] or "unnamed",
        digest=digest(secret),
        beginning=secret[6:12],
        scopes=sorted(set(scopes)),
    )
    return token, secret


def find_token(secret: str) -> Token | None:
    """Return the valid key with this secret, or None."""
    token = Token.objects.valid().select_related("user").filter(digest=digest(secret)).first()
    if token is None:
        return None
    now = timezone.now()
    if token.used_at is None or now - token.used_at > USED_AGAIN_AFTER:
        Token.objects.filter(pk=token.pk).update(used_at=now)
    return token


def revoke_token(token: Token) -> None:
    """Revoke a key."""
    Token.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())


def revoke_all_tokens(user: User) -> None:
    """Revoke all keys of a user."""
    user.tokens.filter(revoked_at=None).update(revoked_at=timezone.now())


def digest(secret: str) -> str:
    """Return the hash of a secret. It has 256 random bits, so a plain hash is safe."""
    return sha256(secret.encode()).hexdigest()


@transaction.atomic
def delete_account(user: User) -> None:
    """Remove all personal data. Bots and results stay; the caller erases the code."""
    for rows in (AccessAttempt, AccessFailureLog, AccessLog):
        rows.objects.filter(username__iexact=user.username).delete()
    user.tokens.all().delete()
    user.username = f"former-{user.pk}"
    user.email = ""
    user.set_unusable_password()
    user.is_active = user.is_staff = user.is_superuser = user.is_organiser = False
    user.deleted_at = timezone.now()
    user.save()
    user.groups.clear()
    user.user_permissions.clear()
    end_sessions(user)


def end_sessions(user: User) -> None:
    """Sign a user out everywhere."""
    for session in Session.objects.filter(expire_date__gte=timezone.now()).iterator():
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()
