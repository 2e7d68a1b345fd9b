"""The addresses of the site."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from league.accounts.views.account import sign_in_to_admin
from league.api.app import api

urlpatterns: list[URLPattern | URLResolver] = [
    # Before the admin's own page, which would know nothing of our limits.
    path("admin/login/", sign_in_to_admin),
    path("admin/", admin.site.urls),
    path("api/v1/", api.urls),
    path("", include("league.accounts.urls")),
    path("", include("league.bots.urls")),
    path("", include("league.matches.urls")),
    path("", include("league.playground.urls")),
    path("", include("league.ladder.urls")),
    path("", include("league.stage.urls")),
    path("", include("league.tournaments.urls")),
    path("", include("league.moderation.urls")),
    path("", include("league.operate.urls")),
    path("", include("league.pages.urls")),
]

handler400 = "league.pages.errors.bad_request"
handler403 = "league.pages.errors.forbidden"
handler404 = "league.pages.errors.not_found"
handler500 = "league.pages.errors.broken"
