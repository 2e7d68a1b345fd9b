"""A league that is served as in earnest: a database of its own, collected files, uvicorn."""

from tests.league.home import Home, free_port

FILL = """
from tests.browser import demo
demo.fill({rounds})
Entry.objects.update(matches=F("matches") + {ahead})
"""


class Shown(Home):
    """A league to look at, without a worker."""

    address: str

    def fill(self, rounds=1, ahead=12):
        """Some matches of all games; `ahead` more are claimed, so that some bots have a rank."""
        self.create()
        self.collect_static()
        self.python(FILL.format(rounds=rounds, ahead=ahead))

    def serve(self):
        """Until the end of this league."""
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        self.start_python(
            f"""
            import uvicorn
            uvicorn.run("league.asgi:application", port={port}, log_level="warning", lifespan="off")
            """,
            SITE_URL=self.address,
        )
        self.wait_for(f"{self.address}/healthz")

    def cookie(self, name):
        """What lets a browser be signed in as somebody."""
        key = self.python(
            f"""
            from django.contrib.auth import (
                BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
            )
            from django.contrib.sessions.backends.db import SessionStore
            user, session = get_user_model().objects.get(username={name!r}), SessionStore()
            session[SESSION_KEY] = str(user.pk)
            session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
            session[HASH_SESSION_KEY] = user.get_session_auth_hash()
            session.save()
            tell(session.session_key)
            """
        )
        return {"name": "karat_session", "value": key, "url": self.address}
