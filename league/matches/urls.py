"""The addresses of matches."""

from django.urls import path
from django.views.generic import RedirectView

from league.matches.views import embed, match, match_list

app_name = "matches"
urlpatterns = [
    path("matches/", match_list.matches, name="list"),
    path("matches/<int:pk>/", match.match, name="match"),
    # The API serves records; this is the address that people guess from that of the page.
    path(
        "matches/<int:match_id>.json",
        RedirectView.as_view(pattern_name="api:read_record", permanent=True, query_string=True),
        name="record",
    ),
    path("matches/<int:pk>/embed/", embed.embed, name="embed"),
]
