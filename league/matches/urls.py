"""The addresses of matches."""

from django.urls import path

from league.matches.views import files, match, match_list

app_name = "matches"
urlpatterns = [
    path("matches/", match_list.matches, name="list"),
    path("matches/<int:pk>/", match.match, name="match"),
    path("matches/<int:pk>.json", files.as_json, name="record"),
    path("matches/<int:pk>/embed/", files.embed, name="embed"),
]
