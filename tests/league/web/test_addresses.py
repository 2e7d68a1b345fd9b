"""Where a request comes from, through real headers, and that everything asks the same function."""

import pytest
from axes.models import AccessAttempt
from django.test import Client, RequestFactory

from league.web.client_address import client_address, counted_address
from tests.league.factories import make_user

CLIENT, PROXY, FORGED = "203.0.113.9", "10.0.0.1", "198.51.100.7"


@pytest.mark.parametrize(
    ("forwarded", "proxies", "address"),
    [
        pytest.param(None, 0, PROXY, id="nobody in between"),
        pytest.param(CLIENT, 0, PROXY, id="no proxy of ours, so the header is a claim"),
        pytest.param(CLIENT, 1, CLIENT, id="one proxy"),
        pytest.param(f"{FORGED}, {CLIENT}", 1, CLIENT, id="forged on the left"),
        pytest.param(f"{FORGED},{CLIENT} , {PROXY}", 2, CLIENT, id="two proxies, and forged"),
        pytest.param(CLIENT, 2, PROXY, id="fewer hops than proxies"),
        pytest.param(f"{CLIENT}:51234", 1, CLIENT, id="with a port"),
        pytest.param("[2001:db8::1]:443", 1, "2001:db8::1", id="IPv6 with a port"),
        pytest.param("[2001:db8::1]", 1, "2001:db8::1", id="IPv6 in brackets"),
        pytest.param("2001:DB8:0:0::1", 1, "2001:db8::1", id="IPv6 in another spelling"),
        pytest.param("fe80::1%eth0", 1, "fe80::1", id="IPv6 with a zone"),
        pytest.param(f"::ffff:{CLIENT}", 1, CLIENT, id="IPv4 in IPv6"),
        pytest.param("unknown", 1, PROXY, id="no address"),
        pytest.param("", 1, PROXY, id="empty"),
        pytest.param("1.2.3.4\0", 1, PROXY, id="a zero in it"),
    ],
)
def test_the_client_is_who_our_own_proxies_saw(settings, forwarded, proxies, address):
    settings.PROXIES = proxies
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    request = RequestFactory().get("/", headers=headers, REMOTE_ADDR=PROXY)
    assert client_address(request) == address


def test_a_request_through_a_socket_without_a_proxy_comes_from_nowhere(settings):
    settings.PROXIES = 0
    assert client_address(RequestFactory().get("/", REMOTE_ADDR="")) == ""


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        pytest.param("203.0.113.9", "203.0.113.9", id="IPv4"),
        pytest.param("2001:db8:1:2:3::9", "2001:db8:1:2::", id="IPv6 by network"),
    ],
)
def test_whoever_has_a_whole_network_counts_once(settings, address, counted):
    settings.PROXIES = 1
    request = RequestFactory().get("/", headers={"X-Forwarded-For": address})
    assert counted_address(request) == counted


@pytest.mark.django_db
def test_the_lock_out_behind_a_proxy_sees_the_client(client, settings):
    settings.PROXIES, settings.AXES_FAILURE_LIMIT = 1, 2
    make_user("boss", is_staff=True)
    wrong = {"username": "boss", "password": "wrong"}
    guesser = {"headers": {"X-Forwarded-For": f"{FORGED}, 2001:db8::bad"}}
    for _ in range(2):
        last = client.post("/accounts/login/", wrong, **guesser)
    assert last.status_code == 429
    assert AccessAttempt.objects.get().ip_address == "2001:db8::"
    right = {"username": "boss", "password": "open sesame"}
    neighbour = {"headers": {"X-Forwarded-For": "2001:db8::cafe"}}
    assert Client().post("/accounts/login/", right, **neighbour).status_code == 429
    owner = {"headers": {"X-Forwarded-For": CLIENT}}
    assert Client().post("/accounts/login/", right, **owner).status_code == 302


@pytest.mark.django_db
def test_guests_behind_a_proxy_are_counted_each_for_themselves(client, settings):
    settings.PROXIES, settings.API_REQUESTS_OF_GUEST = 1, 1

    def ask(address):
        return client.get("/api/v1/games", headers={"X-Forwarded-For": address}).status_code

    assert [ask(CLIENT), ask(FORGED)] == [200, 200]
    assert [ask(f"{FORGED}, {CLIENT}"), ask(f"192.0.2.1, {CLIENT}")] == [429, 429]
