"""The processes of a league that are killed a lot: forks of its shell, so that they start at once.

They run what `manage.py` and the server run, in processes and sessions of their own.
"""

import os
import signal

from tests.league.home import free_port

_FORK = """
from league.jobs.parent_process import end_with_parent
ready, told_by = os.pipe()
pid = os.fork()
if not pid:
    os.setsid()
    end_with_parent(signal.SIGKILL)
    os.close(told_by)
    os.close(ready)
    said = os.open({said!r}, os.O_WRONLY | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for taken, stream in ((nothing, 0), (said, 1), (said, 2)):
        os.dup2(taken, stream)
    try:
        exec({code!r}, globals())
        os._exit(0)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)
# Before it has a session of its own it could not be killed with everything it starts.
os.close(told_by)
os.read(ready, 1)
os.close(ready)
tell(pid)
"""

# What the forks would load, each for itself.
_LOADED = """
import celery.bin.worker, celery.worker.consumer, uvicorn.protocols.http.auto
import league.asgi, league.celery, league.urls
league.celery.app.loader.import_default_modules()
worker.walls.hold()
"""

_ROLES = {
    "worker": "call_command('worker', '--processes', '1', '--name', 'test')",
    "control": "call_command('control')",
    "web": "import uvicorn\n"
    "uvicorn.run('league.asgi:application', port={port}, log_level='warning', lifespan='off')",
}

_ASK = """
import http.client, threading
from django.db import transaction
from league.tournaments.models import Tournament
answers = []
def ask():
    web = http.client.HTTPConnection("127.0.0.1", {port}, timeout=60)
    try:
        web.request("POST", {path!r}, {body!r}, {headers!r})
        answers.append(web.getresponse().status)
    except OSError:
        answers.append("no answer")
asking = threading.Thread(target=ask)
"""
_ANSWERED = """
asking.start()
asking.join()
tell(answers[0])
"""
# Whoever changes a tournament needs its row first; while it is ours, the server waits for it.
_KILLED = """
with transaction.atomic():
    Tournament.objects.update(about="")
    asking.start()
    asking.join(0.3)
    os.killpg({web}, signal.SIGKILL)
asking.join()
tell(answers[0])
"""

_SIGN_IN = """
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
user, session = User.objects.get(username={name!r}), SessionStore()
session[SESSION_KEY] = str(user.pk)
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session[HASH_SESSION_KEY] = user.get_session_auth_hash()
session.save()
tell(session.session_key)
"""


class Crew:
    """Web, worker and control of a home."""

    def __init__(self, home):
        self.home = home
        self.pids = {}
        self.headers = {}
        self.port = free_port()
        home.python(_LOADED)

    def fork(self, code):
        """A process of this league that runs this code."""
        said = str(self.home.folder / "said")
        return self.home.python(_FORK.format(said=said, code=code))

    def ended(self, pid):
        """How a fork ended: its exit status, or the negative number of a signal."""
        return self.home.python(f"tell(os.waitstatus_to_exitcode(os.waitpid({pid}, 0)[1]))")

    def start(self, *roles):
        """Start some of `web`, `worker` and `control`."""
        for role in roles:
            command = _ROLES[role].format(port=self.port)
            code = f"from django.core.management import call_command\n{command}"
            self.pids[role] = self.fork(code)

    def kill(self, *roles):
        """At once, with everything they started."""
        for role in roles:
            pid = self.pids.pop(role)
            os.killpg(pid, signal.SIGKILL)
            assert self.ended(pid) == -signal.SIGKILL, self.home.errors()

    def replace(self, *roles):
        """Kill and start again."""
        self.kill(*roles)
        self.start(*roles)

    def sign_in(self, name):
        """Ask as this user from now on."""
        key = self.home.python(_SIGN_IN.format(name=name))
        secret = "a" * 32
        self.headers = {
            "Cookie": f"karat_session={key}; karat_csrf={secret}",
            "X-CSRFToken": secret,
            "Content-Type": "application/x-www-form-urlencoded",
        }

    def ask(self, path, body=""):
        """The status of the server's answer to a form."""
        return self._ask(path, body, _ANSWERED)

    def ask_and_kill(self, path, body=""):
        """Kill the server while it deals with a form, and start another one. What it answered."""
        answer = self._ask(path, body, _KILLED.format(web=self.pids["web"]))
        self.ended(self.pids.pop("web"))
        self.start("web")
        return answer

    def _ask(self, path, body, how):
        self.home.wait(
            "import socket\n"
            f"with socket.socket() as door: tell(not door.connect_ex(('127.0.0.1', {self.port})))"
        )
        facts = {"port": self.port, "path": path, "body": body, "headers": self.headers}
        return self.home.python(_ASK.format(**facts) + how)

    def dismiss(self):
        """The end of all of them."""
        self.kill(*self.pids)
