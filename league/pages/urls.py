"""The addresses of what belongs to no other app: home, games, documents, search, status."""

from django.urls import path

from league.matches.views.feeds import GameFeed
from league.pages import cards, docs, games, home, sdk, search, sitemap, status, theme

app_name = "pages"
urlpatterns = [
    path("", home.home, name="home"),
    path("theme/", theme.choose, name="theme"),
    path("search/", search.search, name="search"),
    path("g/<str:game>/", games.game, name="game"),
    path("g/<str:game>/cards/", cards.cards, name="card-pictures"),
    path("g/<str:game>/cards.json", games.cards, name="cards"),
    path("g/<str:game>/feed.atom", GameFeed(), name="game-feed"),
    path("docs/", docs.index, name="docs"),
    path("docs/components/", docs.components, name="components"),
    path("docs/errors/", docs.errors, name="errors"),
    path("docs/errors/<str:code>/", docs.error, name="error"),
    path("docs/rules/<str:game>/", docs.rules, name="rules"),
    path("docs/house-bots/<str:game>/<str:name>/", docs.house_bot, name="house-bot"),
    path("docs/<slug:slug>/", docs.page, name="doc"),
    path("sdk/", sdk.index, name="sdk"),
    path("sdk/karat.whl", sdk.latest, name="latest-wheel"),
    path("sdk/<str:name>", sdk.download, name="wheel"),
    path("status/", status.status, name="status"),
    path("healthz", status.alive, name="alive"),
    path("readyz", status.ready, name="ready"),
    path("sitemap.xml", sitemap.sitemap, name="sitemap"),
    path("robots.txt", sitemap.robots, name="robots"),
]
