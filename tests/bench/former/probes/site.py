"""A made-up league of the checkout whose interpreter runs this, and its web server.

    site.py MATCHES BOTS PORT    prints the process id of the server once it answers

It serves until the standard input is closed. The names of `tests.league.home` used here are those
that the former commit has, too.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.league.home import Home


def main(matches: str, bots: str, port: str) -> None:
    """Serve."""
    with TemporaryDirectory(prefix="karat-bench-") as folder:
        home = Home(Path(folder), {})
        home.env |= {"API_REQUESTS_OF_GUEST": "1000000", "LOG_LEVEL": "WARNING"}
        try:
            home.create()
            home.manage("seed_demo", "--matches", matches, "--bots", bots, "--played", "100")
            server = home.start_web(int(port))
            home.wait_for(f"http://127.0.0.1:{port}/")
            print(server.pid, flush=True)
            sys.stdin.read()
        finally:
            home.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
