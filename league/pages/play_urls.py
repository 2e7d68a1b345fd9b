"""The addresses of matches and of bots as spectators see them."""

from django.urls import path

from league.pages import (
    bot_faults,
    bot_matches,
    bots,
    match,
    match_files,
    matches,
    opponents,
    pairs,
)

app_name = "play"
urlpatterns = [
    path("matches/", matches.matches, name="matches"),
    path("matches/<int:pk>/", match.match, name="match"),
    path("matches/<int:pk>.json", match_files.as_json, name="record"),
    path("matches/<int:pk>/embed/", match_files.embed, name="embed"),
    path("bots/<slug:slug>/", bots.overview, name="bot"),
    path("bots/<slug:slug>/challenge/", bots.challenge, name="challenge"),
    path("bots/<slug:slug>/matches/", bot_matches.matches, name="bot-matches"),
    path("bots/<slug:slug>/opponents/", opponents.opponents, name="opponents"),
    path("bots/<slug:slug>/faults/", bot_faults.faults, name="bot-faults"),
    path("bots/<slug:slug>/vs/<slug:other>/", pairs.pair, name="pair"),
    path("bots/<slug:slug>/vs/<slug:other>/queue/", pairs.queue, name="queue"),
]
