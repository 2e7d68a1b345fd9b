"""The choice of a light or dark theme without JavaScript."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from league.pages.frame import THEMES

_YEAR_SECONDS = 60 * 60 * 24 * 365


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Remember the theme in a cookie and go back, but never to another site."""
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
