"""The addresses of what spectators and operators look at."""

from django.urls import path

from league.pages import (
    cards,
    directory,
    docs,
    feeds,
    games,
    home,
    leaderboard,
    search,
    staff,
    status,
    theme,
)

app_name = "pages"
urlpatterns = [
    path("", home.home, name="home"),
    path("theme/", theme.choose, name="theme"),
    path("search/", search.search, name="search"),
    path("bots/", directory.directory, name="bots"),
    path("bots/<slug:slug>/feed.atom", feeds.BotFeed(), name="bot-feed"),
    path("g/<str:game>/", games.game, name="game"),
    path("g/<str:game>/cards/", cards.cards, name="card-pictures"),
    path("g/<str:game>/cards.json", games.cards, name="cards"),
    path("g/<str:game>/feed.atom", feeds.GameFeed(), name="game-feed"),
    path("g/<str:game>/leaderboard/", leaderboard.leaderboard, name="leaderboard"),
    path("g/<str:game>/leaderboard.csv", leaderboard.as_csv, name="leaderboard-csv"),
    path("g/<str:game>/leaderboard.json", leaderboard.as_json, name="leaderboard-json"),
    path("docs/", docs.index, name="docs"),
    path("docs/components/", docs.components, name="components"),
    path("docs/errors/", docs.errors, name="errors"),
    path("docs/errors/<str:code>/", docs.error, name="error"),
    path("docs/rules/<str:game>/", docs.rules, name="rules"),
    path("docs/<slug:slug>/", docs.page, name="doc"),
    path("status/", status.status, name="status"),
    path("healthz", status.alive, name="alive"),
    path("readyz", status.ready, name="ready"),
    path("staff/", staff.staff, name="staff"),
    path("staff/unbench/<int:pk>/", staff.unbench, name="unbench"),
    path("staff/check/<int:pk>/", staff.check_again, name="check-again"),
    path("staff/prove/<str:game>/", staff.prove, name="prove"),
    path("sitemap.xml", feeds.sitemap, name="sitemap"),
    path("robots.txt", feeds.robots, name="robots"),
]
