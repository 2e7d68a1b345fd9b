"""People who go on using the site while it breaks: one reads, one uploads."""

import threading
from collections import Counter
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import urlopen

from bots_sdk.client.api import Client, NoLeague, Refused
from tests.chaos.players import HONEST

PAGES = ["/", "/g/basari/leaderboard/", "/matches/", "/tournaments/", "/status/", "/api/v1/status"]
WELL = "pages read"
READ_SECONDS = 0.3
UPLOAD_SECONDS = 2


class Visitors:
    """Two threads. A site that is down surprises nobody; what it took, it must not lose."""

    def __init__(self, port, key):
        self.address = f"http://127.0.0.1:{port}"
        self.client = Client(self.address, key)
        self.seen = Counter()
        self.promised = []
        self._over = threading.Event()
        self._threads = [threading.Thread(target=one) for one in (self._read, self._upload)]

    def start(self):
        """Come in."""
        for thread in self._threads:
            thread.start()

    def leave(self):
        """Finish what was begun and go."""
        self._over.set()
        for thread in self._threads:
            thread.join()

    def complaints(self):
        """Pages that are not well although nothing is broken any more."""
        answers = {page: self._answer(page) for page in PAGES}
        return [f"{page}: {answer}" for page, answer in answers.items() if answer != WELL]

    def _read(self):
        number = 0
        while not self._over.wait(READ_SECONDS):
            number += 1
            self.seen[self._answer(PAGES[number % len(PAGES)])] += 1

    def _answer(self, page):
        try:
            with urlopen(self.address + page, timeout=20) as answer:
                answer.read()
        except HTTPError as refused:
            return f"pages answered with {refused.code}"
        except (OSError, HTTPException):
            return "pages not answered"
        return WELL

    def _upload(self):
        number = 0
        while not self._over.wait(UPLOAD_SECONDS):
            number += 1
            name = f"Upload {number}"
            try:
                bot = self.client.create_bot(name)
                self.client.upload(bot, f"{HONEST}# {name}\n", note="in the storm")
            except (NoLeague, Refused):
                self.seen["uploads not taken"] += 1
            else:
                self.promised.append(bot)
                self.seen["uploads taken"] += 1
