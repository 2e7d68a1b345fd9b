"""Who sends a request, known by its headers alone: asked before a large body is read."""

import logging
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpRequest

from league.accounts import services
from league.accounts.models import Token, User

log = logging.getLogger(__name__)


def identify(scope: Mapping[str, Any]) -> str | None:
    """Return the user who sends this, by key in the API and by session elsewhere; None if they may
    not upload.
    """
    headers = {name.decode("latin1"): value.decode("latin1") for name, value in scope["headers"]}
    try:
        if scope["path"].startswith("/api/"):
            return _by_key(headers.get("authorization", ""))
        return _by_session(headers.get("cookie", ""))
    except (DatabaseError, InterfaceError) as error:
        log.warning("could not tell who sends a large body: %s", error)
        return None
    finally:
        connection.close()


def _by_key(header: str) -> str | None:
    scheme, _, secret = header.partition(" ")
    token = services.find_token(secret.strip()) if scheme.lower() == "bearer" else None
    if token is None or Token.Scope.UPLOAD not in token.scopes:
        return None
    return str(token.user_id)


def _by_session(header: str) -> str | None:
    try:
        cookie = SimpleCookie(header).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        return None
    if cookie is None:
        return None
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(cookie.value)
    user = get_user(request)
    return str(user.pk) if isinstance(user, User) else None
