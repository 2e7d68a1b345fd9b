"""The choice of a light or dark theme without JavaScript.

Its form is on every page and carries no token, so that all guests can share a page. A forged choice
would do no harm, as it changes nothing but the colours of one browser; still, the headers that
browsers add to a form have to say that it is ours. Whoever sends none needs a token as elsewhere.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST

from league.pages.frame import THEMES

_YEAR_SECONDS = 60 * 60 * 24 * 365


@require_POST
@csrf_exempt
def choose(request: HttpRequest) -> HttpResponse:
    """Remember the theme, if the form was on a page of this site."""
    return _remember(request) if _is_from_here(request) else csrf_protect(_remember)(request)


def _is_from_here(request: HttpRequest) -> bool:
    """Return whether the browser says that its form was on a page of this site."""
    if request.headers.get("Sec-Fetch-Site") == "same-origin":
        return True
    own = f"{request.scheme}://{request.get_host()}"
    return request.headers.get("Origin") in (own, *settings.CSRF_TRUSTED_ORIGINS)


def _remember(request: HttpRequest) -> HttpResponse:
    """Keep the theme in a cookie and go back, but never to another site."""
    back = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(
        back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    response = HttpResponseRedirect(back if safe else reverse("pages:home"))
    theme = request.POST.get("theme", "")
    if theme in THEMES:
        response.set_cookie(
            "theme", theme, max_age=_YEAR_SECONDS, samesite="Lax", secure=request.is_secure()
        )
    else:
        response.delete_cookie("theme")
    return response
