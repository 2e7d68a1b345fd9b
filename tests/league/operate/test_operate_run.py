"""`manage.py run` on a machine that others use, too: who may look, and under which names."""

import http.client
import os
import re
import signal
import stat
import time
from contextlib import closing
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from league.operate import interfaces
from tests.league.home import Home, free_port


def status_for(port, host):
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    with closing(asked) as connection:
        connection.request("GET", "/healthz", headers={"Host": host})
        return connection.getresponse().status


def command(pid):
    """The command line of a process that may have ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return []


def commands():
    for path in Path("/proc").glob("[1-9]*"):
        yield command(path.name)


def children(pid):
    """The processes that a process with one thread has started."""
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    """A league for everybody in the room, in a folder that a former version left open."""
    folder = tmp_path_factory.mktemp("room")
    home = Home(folder, {})
    for name in ("karat.sqlite3", "static/old.css"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).touch()
        os.chmod(folder / name, 0o644)
    os.chmod(folder, 0o755)
    home.env |= {"HOST": "0.0.0.0", "TMPDIR": ""}
    for name in ("ALLOWED_HOSTS", "SITE_URL", "SECRET_KEY"):
        home.env.pop(name, None)
    home.port = free_port()
    home.running = home.start("run", "--port", str(home.port), "--workers", "1")
    home.wait_for(f"http://127.0.0.1:{home.port}/healthz")
    until = time.monotonic() + 60
    while not list((folder / "broker" / "messages").glob("*")) and time.monotonic() < until:
        time.sleep(0.1)
    yield home
    home.end()


pytestmark = pytest.mark.stack


def test_only_names_and_addresses_of_this_machine_are_answered(room):
    own = [one for one in interfaces.own_addresses() if ":" not in one]
    assert own
    for host in ("localhost", *own):
        assert status_for(room.port, f"{host}:{room.port}") == 200, host
    for host in ("evil.example", "8.8.8.8", f"evil.example:{room.port}", "localhost.evil.example"):
        assert status_for(room.port, host) == 400, host


def test_the_printed_address_works(room):
    printed = interfaces.site_url("0.0.0.0", room.port)
    assert f"the league is at {printed}/" in (room.folder / "said").read_text()
    room.wait_for(f"{printed}/healthz")


def test_nobody_can_pretend_to_come_from_elsewhere(room):
    web = next(one for one in commands() if "uvicorn" in one and str(room.port) in one)
    assert "--no-proxy-headers" in web


def test_nobody_else_can_read_anything_in_the_data_folder(room):
    assert "other users could read" in (room.folder / "said").read_text()
    seen = {}
    for path in [room.folder, *room.folder.rglob("*")]:
        try:
            seen[path] = path.lstat().st_mode
        except FileNotFoundError:
            continue
    assert len(seen) > 20
    names = {path.name for path in seen}
    assert {"karat.sqlite3", "secret_key", "broker", "static", "admin_password"} <= names
    kept = {path: mode for path, mode in seen.items() if path.name != "said"}
    open_to_others = {
        str(path): stat.filemode(mode) for path, mode in kept.items() if stat.S_IMODE(mode) & 0o077
    }
    assert open_to_others == {}


def test_the_password_is_short_and_can_be_shown_again(room):
    said = (room.folder / "said").read_text()
    user, password = re.search(r"sign in as (\w+) with the password (\S+)", said).groups()
    assert re.fullmatch(r"[a-z2-9]{5}-[a-z2-9]{5}", password)
    again = room.manage("admin_password").stdout
    assert again == f"{user} {password}\n"
    assert "manage.py admin_password" in said
    room.python(
        """
        admin = User.objects.get(username="admin")
        admin.set_password("one of my own")
        admin.save()
        """
    )
    changed = room.manage("admin_password", check=False)
    assert changed.returncode == 1
    assert "manage.py changepassword admin" in changed.stderr


def test_a_static_file_is_served_without_a_warning_on_the_console(room):
    site = f"http://127.0.0.1:{room.port}"
    with urlopen(f"{site}/") as page:
        style = re.search(r'"(/static/[^"]+\.css)"', page.read().decode())[1]
    with urlopen(f"{site}{style}") as file:
        assert int(file.headers["Content-Length"]) == len(file.read()) > 1000
        assert file.headers["Content-Type"].startswith("text/css")
        assert "immutable" in file.headers["Cache-Control"]
    ranged = Request(f"{site}{style}", headers={"Range": "bytes=10-19"})
    with urlopen(ranged) as part:
        assert (part.status, len(part.read())) == (206, 10)
    assert "StreamingHttpResponse" not in (room.folder / "said").read_text()


def test_ctrl_c_ends_everything_without_a_word_of_celery(room):
    worker = next(pid for pid in children(room.running.pid) if "worker" in command(pid))
    # The one that listens to the broker is forked last.
    until = time.monotonic() + 30
    while len(children(worker)) < 2 and time.monotonic() < until:
        time.sleep(0.1)
    time.sleep(1)
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        for pid in children(worker):
            os.kill(pid, number)
    time.sleep(1)
    room.running.send_signal(signal.SIGINT)
    assert room.running.wait(60) == 0, room.errors()
    assert "worker:" not in (room.folder / "said").read_text()


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://localhost:8000"),
        ("192.0.2.7", "http://192.0.2.7:8000"),
        ("fd00::7", "http://[fd00::7]:8000"),
    ],
)
def test_the_address_for_browsers_follows_where_the_site_listens(host, url):
    assert interfaces.site_url(host, 8000) == url
    assert interfaces.in_url(host) in interfaces.allowed_hosts(host)
    assert "*" not in interfaces.allowed_hosts("0.0.0.0")
