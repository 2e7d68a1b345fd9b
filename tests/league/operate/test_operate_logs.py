"""Logs: JSON lines that say whom they are about, and never a secret."""

import io
import json
import logging
import logging.config
import re

import pytest
from django.core.exceptions import ImproperlyConfigured
from structlog.contextvars import bound_contextvars

from league.config import logs
from tests.league.factories import make_key, make_user

KNOWN = "correct-horse-battery"


@pytest.fixture
def written():
    """Everything that is logged, as lines of the real formatter."""
    config = logs.config("json", "INFO", [KNOWN])
    formatter = config["formatters"]["lines"]
    made = formatter["()"](
        processors=formatter["processors"], foreign_pre_chain=formatter["foreign_pre_chain"]
    )
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(made)
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield stream.getvalue
    root.removeHandler(handler)
    root.setLevel(level)


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def test_a_line_carries_the_ids_of_what_is_being_done(written):
    with bound_contextvars(worker="w1", match=7):
        logging.getLogger("league.anything").warning("it took %d ms", 12)
    logging.getLogger("league.anything").warning("nothing in particular")
    first, second = lines(written())
    assert (first["event"], first["match"], first["worker"]) == ("it took 12 ms", 7, "w1")
    assert (first["level"], first["logger"]) == ("warning", "league.anything")
    assert re.match(r"\d{4}-\d\d-\d\dT", first["timestamp"])
    assert "match" not in second


@pytest.mark.django_db
def test_every_request_is_a_line_with_the_number_the_visitor_was_shown(client, written):
    response = client.get("/bots/?q=private")
    line = next(line for line in lines(written()) if line["event"] == "answered")
    assert line["request"] == response["X-Request-ID"]
    assert (line["method"], line["route"], line["status"]) == ("GET", "/bots/", 200)
    assert "private" not in written()


@pytest.mark.parametrize(
    "secret",
    [
        "Authorization: Bearer abcdefgh12345678",
        "karat_AbCdEfGh-0123456789_xyz",
        "GET /accounts/reset/MQ/c1a2b3-0123456789abcdef/ failed",
        "Cookie: karat_session=0123456789abcdef",
        "postgres://karat:hunter2hunter2@db/karat is not reachable",
        "password=hunter2hunter2&next=/",
        f"the key is {KNOWN}",
    ],
)
def test_what_is_secret_is_taken_out_of_a_line(written, secret):
    try:
        raise RuntimeError(secret)
    except RuntimeError:
        logging.getLogger("league").exception("broken: %s", secret)
    text = written()
    assert logs.HIDDEN in text
    for word in ("abcdefgh1", "0123456789", "hunter2", KNOWN):
        assert word not in text
    lines(text)


@pytest.mark.django_db
def test_passwords_and_keys_that_people_send_are_in_no_log(client, written):
    user = make_user("mira")
    key = make_key(user)
    client.post("/accounts/login/", {"username": "mira", "password": "open sesame"})
    client.post("/accounts/login/", {"username": "mira", "password": "wrong wrong wrong"})
    client.get("/api/v1/me", headers={"Authorization": f"Bearer {key}"})
    client.get("/api/v1/me", headers={"Authorization": "Bearer karat_notmykeybutsomeones"})
    client.get("/accounts/reset/MQ/abc-0123456789abcdef0123456789abcdef/")
    text = written()
    assert '"route": "/api/v1/me"' in text
    for secret in ("open sesame", "wrong wrong", key, "notmykey", "0123456789abcdef"):
        assert secret not in text


def test_a_format_or_level_that_is_none_stops_the_start():
    with pytest.raises(ImproperlyConfigured, match="LOG_FORMAT"):
        logs.config("xml", "INFO", [])
    with pytest.raises(ImproperlyConfigured, match="LOG_LEVEL"):
        logs.config("json", "LOUD", [])
