"""Every address is guarded: headers, sizes, hosts, and the deployment check of Django."""

import os
import re
import subprocess
import sys

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver

from tests.league.factories import make_match, make_player, make_user
from tests.league.home import ROOT

REQUIRED = {
    "Content-Security-Policy": "default-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
EMBEDDABLE = "embed"
"""A replay may be shown on other pages; nothing else may."""


def routes(patterns=None, prefix=""):
    """All routes of the site, those of Django's admin aside from its doors."""
    for pattern in patterns or get_resolver().url_patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield route
        elif prefix + str(pattern.pattern) != "admin/":
            yield from routes(pattern.url_patterns, route)
    if not prefix:
        yield from ("admin/", "admin/login/")


def address(route, values):
    """The route with something real for each of its parts."""
    filled = re.sub(
        r"<(?:(\w+):)?(\w+)>",
        lambda part: str(values.get(part[2], values.get(part[1] or "str", "x"))),
        route.replace(r"\Z", "").replace("^", "").replace("$", "").replace("\\", ""),
    )
    return "/" + re.sub(r"\(\?P<(\w+)>[^)]*\)", lambda part: str(values.get(part[1], "x")), filled)


@pytest.mark.django_db
def test_every_address_answers_with_the_security_headers_and_without_an_error():
    owner = make_user("mira")
    players = [make_player(owner, f"Player {n}") for n in range(3)]
    match = make_match(players)
    values = {
        "slug": players[0].slug,
        "game": "basari",
        "username": "mira",
        "name": "mira",
        "pk": match.pk,
        "match_id": match.pk,
        "int": match.pk,
        "number": 1,
        "code": "E302",
    }
    client = Client(raise_request_exception=True)
    client.force_login(owner)
    asked = 0
    for route in routes():
        response = client.get(address(route, values), follow=False)
        asked += 1
        # Whether a broker can be reached is another question.
        assert response.status_code < 500 or route == "readyz", route
        for name, wanted in REQUIRED.items():
            assert wanted in response.get(name, "missing"), (route, name)
        assert len(response["X-Request-ID"]) >= 8, route
        policy = response["Content-Security-Policy"]
        assert "unsafe" not in policy, route
        if EMBEDDABLE not in route:
            assert "frame-ancestors 'none'" in policy, route
            assert response["X-Frame-Options"] == "DENY", route
        for cookie in response.cookies.values():
            assert cookie["samesite"] in {"Lax", "Strict"}, (route, cookie.key)
    assert asked > 60


@pytest.mark.django_db
def test_a_host_that_is_not_ours_is_refused(client):
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400


@pytest.mark.django_db
def test_a_large_body_is_refused_before_anything_reads_it(client, settings):
    from_user = make_user("mira")
    client.force_login(from_user)
    big = b"x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    response = client.post("/api/v1/bots", big, content_type="application/json")
    assert 400 <= response.status_code < 500
    response = client.post("/search/", big, content_type="application/x-www-form-urlencoded")
    assert 400 <= response.status_code < 500


def server(*arguments, **env):
    """manage.py with the settings of a server; the database is never asked."""
    told = {
        "DATABASE_URL": "postgres://karat:secret-of-db@localhost/karat",
        "REDIS_URL": "redis://localhost:6379/0",
        "SECRET_KEY": "only for this test, and longer than fifty characters, of course",
        "ALLOWED_HOSTS": "karat.example.org",
        "SITE_URL": "https://karat.example.org",
        "PROXIES": "1",
    }
    return subprocess.run(
        [sys.executable, *arguments],
        env={"PATH": os.environ["PATH"], "KARAT_VAR": os.environ["KARAT_VAR"], **told, **env},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_settings_of_a_server_pass_djangos_deployment_check():
    done = server("manage.py", "check", "--deploy", "--fail-level", "WARNING")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("env", "says"),
    [
        pytest.param({"SECRET_KEY": ""}, "SECRET_KEY", id="no secret"),
        pytest.param({"DEBUG": "perhaps"}, "DEBUG must be 1 or 0", id="neither yes nor no"),
    ],
)
def test_a_server_without_its_secrets_does_not_start(env, says):
    done = server("manage.py", "check", **env)
    assert done.returncode != 0
    assert says in done.stderr
