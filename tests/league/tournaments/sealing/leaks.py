"""Every page of the site and every answer of the API, as everybody sees them: what the leak test
crawls. A new address belongs in one of these tables.
"""

import re
from itertools import chain
from urllib.parse import quote

from django.test import Client
from django.urls import URLResolver, get_resolver

from league.api.app import api
from league.api.openapi import operations
from tests.league.asking import ROOT

# Addresses by their route. What stands in braces is filled in with facts of the event. All of them
# must be the same before and after sealed matches are played.
SAME = {
    # Whoever was there has watched a lost match, which the next page says.
    "me/lost/": ("/me/lost/",),
    "me/": ("/me/",),
    "u/<slug:name>/": ("/u/{owner}/", "/u/{organiser}/"),
    "bots/": ("/bots/",),
    "bots/<slug:slug>/": ("/bots/{bot}/", "/bots/{bot}/?game=basari&period=all&table=yes"),
    "bots/<slug:slug>/faults/": ("/bots/{bot}/faults/",),
    "bots/<slug:slug>/feed.atom": ("/bots/{bot}/feed.atom",),
    "bots/<slug:slug>/matches/": ("/bots/{bot}/matches/", "/bots/{bot}/matches/?fault=E303"),
    "bots/<slug:slug>/opponents/": ("/bots/{bot}/opponents/?game=basari",),
    "bots/<slug:slug>/settings/": ("/bots/{bot}/settings/",),
    "bots/<slug:slug>/settings/delete/": ("/bots/{bot}/settings/delete/",),
    "bots/<slug:slug>/versions/": ("/bots/{bot}/versions/",),
    "bots/<slug:slug>/versions/<int:number>/": ("/bots/{bot}/versions/1/",),
    "bots/<slug:slug>/vs/<slug:other>/": ("/bots/{bot}/vs/{rival}/", "/bots/{rival}/vs/{bot}/"),
    "matches/": (
        *("/matches/", "/matches/?sort=excitement", "/matches/?fault=any"),
        *("/matches/?kind=tournament", "/matches/?fault=E303"),
    ),
    "matches/<int:pk>/": (
        *("/matches/{match}/", "/matches/{match}/?view=text", "/matches/{match}/?step=3"),
        *("/matches/{match}/?result=1", "/matches/{other_match}/", "/matches/{later_match}/"),
    ),
    "matches/<int:match_id>.json": ("/matches/{match}.json", "/matches/{later_match}.json"),
    "matches/<int:pk>/embed/": (
        *("/matches/{match}/embed/", "/matches/{match}/embed/?result=1"),
        "/matches/{later_match}/embed/",
    ),
    "g/<str:game>/leaderboard/": ("/g/basari/leaderboard/", "/g/basari/leaderboard/?seats=3"),
    "g/<str:game>/leaderboard.csv": ("/g/basari/leaderboard.csv",),
    "g/<str:game>/leaderboard.json": ("/g/basari/leaderboard.json",),
    "g/<str:game>/": ("/g/basari/",),
    "g/<str:game>/feed.atom": ("/g/basari/feed.atom",),
    "tournaments/": ("/tournaments/",),
    "tournaments/feed.atom": ("/tournaments/feed.atom",),
    "tournaments/recurring/<slug:slug>/": ("/tournaments/recurring/{series}/",),
    "tournaments/<slug:slug>/": ("/tournaments/{event}/", "/tournaments/{event}/?predictions=hide"),
    "tournaments/<slug:slug>/edit/": ("/tournaments/{event}/edit/",),
    "tournaments/<slug:slug>/standings/": ("/tournaments/{event}/standings/",),
    "tournaments/<slug:slug>/standings.csv": ("/tournaments/{event}/standings.csv",),
    "tournaments/<slug:slug>/standings.json": ("/tournaments/{event}/standings.json",),
    "tournaments/<slug:slug>/rounds/": ("/tournaments/{event}/rounds/",),
    "tournaments/<slug:slug>/rounds/<int:number>/": (
        "/tournaments/{event}/rounds/1/",
        "/tournaments/{event}/rounds/2/",
        "/tournaments/{event}/rounds/3/",
    ),
    "tournaments/<slug:slug>/bracket/": ("/tournaments/{event}/bracket/",),
    "tournaments/<slug:slug>/schedule/": ("/tournaments/{event}/schedule/",),
    "tournaments/<slug:slug>/entries/": ("/tournaments/{event}/entries/",),
    "tournaments/<slug:slug>/rules/": ("/tournaments/{event}/rules/",),
    "tournaments/<slug:slug>/log/": ("/tournaments/{event}/log/",),
    "organise/": ("/organise/",),
    "search/": (
        *("/search/?q={match}", "/search/?q={later_match}"),
        *("/search/?q={bot}", "/search/?q={event}"),
    ),
    "sitemap.xml": ("/sitemap.xml",),
    "status/inspections/": ("/status/inspections/",),
    "^staff/(?P<kind>users|bots|versions)/(?P<pk>[0-9]{1,18})/$": (
        "/staff/bots/{bot_pk}/",
        "/staff/versions/{version_pk}/",
    ),
}
# They count what is played and how long that takes: all but the figures must be the same.
COUNTING = {
    "": ("/",),
    "staff/": ("/staff/",),
    "status/": ("/status/",),
    # What is on: its live connection tells of sealed matches only what a presenter shows.
    "tv/": ("/tv/", "/tv/?event={event}"),
    "tournaments.ics": ("/tournaments.ics",),
    "tournaments/<slug:slug>.ics": ("/tournaments/{event}.ics",),
}
# Only for those who run the event, who may see how far it is. Nobody's name may stand elsewhere.
CONSOLE = {
    "tournaments/<slug:slug>/manage/": ("/tournaments/{event}/manage/",),
    "tournaments/<slug:slug>/manage/<slug:do>/confirm/": (
        "/tournaments/{event}/manage/cancel/confirm/",
        "/tournaments/{event}/manage/rerun/confirm/?round=1&table=1",
    ),
}
# Only for organisers, who choose what is shown from it: who sat at the tables of the first sealed
# round, whose pairings are public (tests/league/stage/test_remote.py).
REMOTE = {"tournaments/<slug:slug>/remote/"}
# They read no match and no tournament, or only take what is sent to them.
APART = {
    *("admin/login/", "accounts/signup/", "accounts/login/", "accounts/logout/", "accounts/reset/"),
    *("accounts/reset/sent/", "accounts/reset/<uidb64>/<token>/", "me/first-steps/hide/"),
    *("me/password/", "me/settings/", "me/tokens/", "me/tokens/<int:pk>/revoke/", "me/delete/"),
    *("bots/new/", "bots/check/", "bots/<slug:slug>/about/", "bots/<slug:slug>/challenge/"),
    *("bots/<slug:slug>/diff/", "bots/<slug:slug>/settings/rename/"),
    *("bots/<slug:slug>/settings/retire/", "bots/<slug:slug>/settings/return/"),
    *("bots/<slug:slug>/versions/new/", "bots/<slug:slug>/versions/check/"),
    "bots/<slug:slug>/versions/<int:number>/bot.py",
    "bots/<slug:slug>/versions/<int:number>/bundle.zip",
    "bots/<slug:slug>/versions/<int:number>/delete/",
    "bots/<slug:slug>/versions/<int:number>/files/<path:path>/",
    "bots/<slug:slug>/versions/<int:number>/raw/<path:path>",
    "bots/<slug:slug>/versions/<int:number>/activate/",
    "bots/<slug:slug>/versions/<int:number>/publish/",
    *("bots/<slug:slug>/vs/<slug:other>/queue/", "uploads/drafts/<uuid:key>/", "uploads/<int:pk>/"),
    *("uploads/<int:pk>/smoke/<slug:game>/", "uploads/<int:pk>/smoke/<slug:game>/record.json"),
    *("play/", "play/upload/", "play/runs/<uuid:key>/", "play/runs/<uuid:key>/record.json"),
    *("tournaments/new/", "tournaments/new/cost/", "tournaments/recurring/<slug:slug>/stop/"),
    *("tournaments/recurring/<slug:slug>/resume/", "tournaments/<slug:slug>/enter/"),
    *("tournaments/<slug:slug>/withdraw/", "tournaments/<slug:slug>/manage/<slug:do>/"),
    "tournaments/<slug:slug>/remote/<slug:do>/",
    *("staff/unbench/<int:pk>/", "staff/check/<int:pk>/", "staff/verify/<str:game>/"),
    "^staff/(?P<kind>users|bots|versions)/(?P<pk>[0-9]{1,18})/(?P<what>[a-z]+)/$",
    *("theme/", "g/<str:game>/cards/", "g/<str:game>/cards.json", "docs/", "docs/components/"),
    *("docs/errors/", "docs/errors/<str:code>/", "docs/rules/<str:game>/", "docs/<slug:slug>/"),
    *("docs/house-bots/<str:game>/<str:name>/", "sdk/", "sdk/karat.whl", "sdk/<str:name>"),
    *("healthz", "readyz", "robots.txt"),
    # For operators, like the Django admin and the database.
    "metrics",
}
SAME_OF_API = {
    "me": ("me",),
    "bots": ("bots",),
    "bots/{slug}": ("bots/{bot}",),
    "bots/{slug}/versions": ("bots/{bot}/versions",),
    "bots/{slug}/versions/{number}": ("bots/{bot}/versions/1",),
    "matches": ("matches", "matches?status=queued", "matches?status=finished&bot={bot}"),
    "matches/{match_id}": ("matches/{match}", "matches/{other_match}", "matches/{later_match}"),
    "matches/{match_id}/record": ("matches/{match}/record", "matches/{match}/record?notes=mine"),
    "matches/{match_id}/log": ("matches/{match}/log",),
    "matches/{match_id}/chances": ("matches/{match}/chances", "matches/{other_match}/chances"),
    "leaderboards/{game}": ("leaderboards/basari",),
    "bots/{slug}/ratings": ("bots/{bot}/ratings",),
    "bots/{slug}/ratings/{game}": ("bots/{bot}/ratings/basari",),
    "tournaments": ("tournaments", "tournaments?state=running"),
    "tournaments/{tournament}": ("tournaments/{event}",),
    "tournaments/{tournament}/standings": ("tournaments/{event}/standings",),
    "tournaments/{tournament}/rounds": ("tournaments/{event}/rounds",),
}
COUNTING_OF_API = {"status": ("status",)}
APART_OF_API = {
    *("games", "uploads", "uploads/{upload}", "bots/{slug}/versions/{number}/source"),
    *("bots/{slug}/versions/{number}/files", "bots/{slug}/versions/{number}/files/{path}"),
    "bots/{slug}/versions/{number}/bundle.zip",
}

# What is different whenever one looks: tokens of forms, numbers of requests, how long ago it was.
_FLEETING = [
    (re.compile(r'(name="csrfmiddlewaretoken" value|nonce)="[^"]*"'), r'\1=""'),
    (re.compile(r'(<time datetime="[^"]*" title="[^"]*"[^>]*>)[^<]*</time>'), r"\1</time>"),
    (re.compile(r">Request [0-9a-f]+<"), "><"),
    (re.compile(r"DTSTAMP:\S+"), ""),
    (re.compile(r'"request_id": ?"[^"]*"'), ""),
]
_FLEETING_HEADERS = {"etag", "content-security-policy", "x-request-id", "content-length", "date"}


def missing():
    """Return every route and operation that stands in no table, and those that do not exist."""
    named = set(SAME) | set(COUNTING) | set(CONSOLE) | REMOTE | APART
    of_api = set(SAME_OF_API) | set(COUNTING_OF_API) | APART_OF_API
    gets = {
        path.removeprefix(ROOT)
        for path, method, _ in operations(api.get_openapi_schema())
        if method == "get"
    }
    return (set(_routes(get_resolver().url_patterns)) ^ named) | (gets ^ of_api)


def _routes(patterns, before=""):
    for one in patterns:
        route = f"{before}{one.pattern}"
        if not isinstance(one, URLResolver):
            yield route
        elif not route.startswith(("admin/", "api/")):
            yield from _routes(one.url_patterns, route)


class Visitor:
    """Somebody who looks at everything: by the site, as htmx, and by the API."""

    def __init__(self, user=None, key=None):
        self._client = Client()
        self._key = key
        if user is not None:
            self._client.force_login(user)

    def look(self, tables, of_api, facts):
        """Return what every address answers, by address."""
        paths = chain.from_iterable(chain.from_iterable(table.values() for table in tables))
        site = [path.format(**facts) for path in paths]
        seen = {path: self._answer(path) for path in site}
        if self._key is None:
            htmx = {"HX-Request": "true"}
            seen |= {f"{path} as htmx": self._answer(path, htmx) for path in site}
        bearer = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        for paths in of_api.values():
            for path in paths:
                address = ROOT + path.format(**facts)
                seen[address] = self._answer(address, bearer)
        return seen

    def _answer(self, path, headers=None):
        answer = self._client.get(quote(path, safe="/?=&%"), headers=headers or {})
        kept = {
            name.lower(): value
            for name, value in answer.items()
            if name.lower() not in _FLEETING_HEADERS
        }
        raw = b"".join(answer) if answer.streaming else answer.content
        text = raw.decode()
        for pattern, instead in _FLEETING:
            text = pattern.sub(instead, text)
        return answer.status_code, kept, text, (raw, answer.get("ETag"))


def differences(before, after, *, figures=True):
    """Return the addresses whose answers differ; without `figures`, apart from numbers. Equal bytes
    must have equal tags.
    """
    wrong = []
    for path, (status, headers, text, (raw, tag)) in before.items():
        status_2, headers_2, text_2, (raw_2, tag_2) = after[path]
        if not figures:
            text, text_2 = (re.sub(r"[\d,.]+", "", one) for one in (text, text_2))
        if (status, headers, text) != (status_2, headers_2, text_2):
            wrong.append(path)
        elif raw == raw_2 and tag != tag_2:
            wrong.append(f"{path}: its tag")
    return wrong
