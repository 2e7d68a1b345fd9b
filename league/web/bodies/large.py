"""Large bodies: only uploads of bots have them, only from people who are known, a few at a time.

A body lies in a temporary file until its request is answered, so their number bounds the disk.
"""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

from django.conf import settings

from league.errors import Refused

Scope = Mapping[str, Any]
Identify = Callable[[Scope], str | None]
"""Returns who sends a request, if that may upload; called in a thread."""

MAX_AT_ONCE = 8
MAX_OF_SENDER = 2
MAX_WAIT_SECONDS = 20.0
"""For others to be done."""
BODY_SECONDS = 300.0
"""For a whole body, so that a slow sender does not keep others out."""
_FORM_BYTES = 1 << 20
"""What a form takes besides its files."""
_BOT = r"/bots/[-\w]+/versions"
_UPLOADS = re.compile(rf"(?:/api/v1{_BOT}|(?:{_BOT}|/bots)/(?:new|check)/)\Z")
_BLOB = re.compile(r"/api/v1/uploads/[-0-9a-f]{36}/blobs/[0-9a-f]{64}\Z")


def max_bytes(method: str, path: str) -> int:
    """Return how large a body may be that is sent there."""
    usual: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    if method == "POST" and _UPLOADS.match(path):
        return max(usual, settings.BUNDLE_LIMITS.packed_bytes + _FORM_BYTES)
    if method == "PUT" and _BLOB.match(path):
        return max(usual, settings.BUNDLE_LIMITS.unpacked_bytes)
    return usual


class LargeBodies:
    """Admits the large bodies of one process."""

    def __init__(self, identify: Identify) -> None:
        self._identify = identify
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="sender")
        self._free = asyncio.Semaphore(MAX_AT_ONCE)
        self._senders: Counter[str] = Counter()

    @asynccontextmanager
    async def admit(self, scope: Scope) -> AsyncIterator[int]:
        """Yield how many bytes this body may have; 0 if nobody knows who sends it. `Refused` if it
        is one too many.
        """
        loop = asyncio.get_running_loop()
        sender = await loop.run_in_executor(self._threads, self._identify, scope)
        if sender is None:
            yield 0
            return
        if self._senders[sender] >= MAX_OF_SENDER:
            raise Refused("L008", status=429, seconds=int(MAX_WAIT_SECONDS))
        self._senders[sender] += 1
        try:
            await self._wait()
            try:
                yield max_bytes(scope["method"], scope["path"])
            finally:
                self._free.release()
        finally:
            self._senders[sender] -= 1
            # Without it the counter would remember everybody who ever sent something.
            self._senders += Counter()

    async def _wait(self) -> None:
        try:
            await asyncio.wait_for(self._free.acquire(), MAX_WAIT_SECONDS)
        except TimeoutError:
            raise Refused("L008", status=503, seconds=int(MAX_WAIT_SECONDS)) from None
