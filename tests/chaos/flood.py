"""An account that floods the league while it breaks: with everything that somebody could create.

Every flood is bounded. The league may refuse whatever it likes, but must stay well for everybody
else, and must still answer the flooder with a refusal and not with an error of its own.
"""

import json
import threading
from collections import Counter
from datetime import UTC, datetime, timedelta
from http.client import HTTPException
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

PAUSE_SECONDS = 0.5
TIMEOUT_SECONDS = 20
MAX_SLEEPERS = 2
"""Each keeps a worker busy for a whole check."""
BODY_BYTES = 4 << 20

# Just under the limit of every decision, for as long as a check may take.
SLEEPER = """import time

from bots_sdk import Bot


class Sleeper(Bot):
    def decide(self, view, options):
        time.sleep(0.93)
        return options[0]
"""
# What once took time in the cube of its length to read.
LONG_LINEAGE = "class a0:0\n" + "\n".join(f"class a{n}(a{n - 1}):0" for n in range(1, 1000))


class Flood:
    """One thread that asks for too much of everything, in turn."""

    def __init__(self, address, key):
        self.address, self.key = address, key
        self.seen = Counter()
        self._over = threading.Event()
        self._number = 0
        self._cookies = CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self._cookies))
        self._thread = threading.Thread(target=self._run)
        self._kinds = [
            *(self._challenge, self._new_tournament, self._upload),
            *(self._large_body, self._long_lineage, self._guess_password),
        ]

    def start(self):
        """Begin."""
        self._thread.start()

    def leave(self):
        """Finish what was begun and go."""
        self._over.set()
        self._thread.join()

    def complaints(self):
        """Floods that are answered with an error although nothing is broken any more."""
        answers = {flood.__name__.strip("_"): flood() for flood in self._kinds}
        return [
            f"flood of {kind}: {answer}"
            for kind, answer in answers.items()
            if answer is None or answer >= 500
        ]

    def _run(self):
        while not self._over.wait(PAUSE_SECONDS):
            status = self._kinds[self._number % len(self._kinds)]()
            self._number += 1
            if status is None or status >= 500:
                outcome = "not answered"
            else:
                outcome = "refused" if status >= 400 else "taken"
            self.seen[f"floods {outcome}"] += 1

    def _challenge(self):
        table = {"game": "basari", "bots": ["honest-0", "honest-1", "honest-2"]}
        return self._post_json("/api/v1/matches", table)

    def _new_tournament(self):
        starts_at = datetime.now(UTC) + timedelta(seconds=20)
        config = {"format": "round-robin", "seats": 3, "rounds": 400, "deals": 100}
        return self._post_json(
            "/api/v1/tournaments",
            {
                "name": f"Flood {self._number}",
                "game": "basari",
                "config": config,
                "starts_at": starts_at.isoformat(),
                "max_entries": 200,
            },
        )

    def _upload(self):
        name = f"Sleeper {self._number}"
        if self.seen["sleepers"] >= MAX_SLEEPERS:
            # Over and over the same name, which is taken, or a name that is none.
            return self._post_json("/api/v1/bots", {"name": "\u202eSleeper"})
        self.seen["sleepers"] += 1
        made = self._post_json("/api/v1/bots", {"name": name})
        slug = name.lower().replace(" ", "-")
        source = {"source": f"{SLEEPER}# {name}\n"}
        return max(made or 500, self._post_json(f"/api/v1/bots/{slug}/versions", source) or 500)

    def _large_body(self):
        return self._send("/bots/check/", bytes(BODY_BYTES), "application/octet-stream")

    def _long_lineage(self):
        return self._post_form("/bots/check/", code=LONG_LINEAGE)

    def _guess_password(self):
        return self._post_form("/accounts/login/", username="visitor", password="a wrong guess")

    def _post_json(self, path, document):
        return self._send(path, json.dumps(document).encode(), "application/json")

    def _post_form(self, path, **fields):
        """As a browser would: with the token of the page that has the form."""
        self._send("/accounts/login/")
        token = next((one.value for one in self._cookies if one.name == "karat_csrf"), "")
        body = urlencode(fields | {"csrfmiddlewaretoken": token}).encode()
        return self._send(path, body, "application/x-www-form-urlencoded")

    def _send(self, path, body=None, kind="text/plain"):
        """The status of the answer; None if there was none."""
        headers = {"Content-Type": kind}
        if path.startswith("/api/"):
            headers["Authorization"] = f"Bearer {self.key}"
        request = Request(self.address + path, body, headers)
        try:
            with self._opener.open(request, timeout=TIMEOUT_SECONDS) as answer:
                answer.read()
                return answer.status
        except HTTPError as refused:
            return refused.code
        except (OSError, HTTPException):
            return None
