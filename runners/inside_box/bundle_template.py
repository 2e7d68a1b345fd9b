"""A template of which the boxes of bundles are forked: it has the bundles of the host mounted.

A fork sees its own at `/bot`. It hides the others before it reads any byte of a bot, while it has
the rights of its own namespaces, and it gives those up right after that.
"""

import posix
import sys

if __name__ == "__main__":
    __package__ = "inside_box"
    HOME = sys.argv[0].removesuffix("/inside_box/bundle_template.pyc")
    sys.path += [HOME, f"{sys.prefix}/packages"]
    posix.unsetenv(b"LD_BIND_NOW")
    del posix.environ[b"LD_BIND_NOW"]

from . import main as program
from .bundle_rehearsal import rehearse_bundle
from .bundles import load_bundle
from .enter import bind
from .memory import Memory
from .template import Template, become_box

BUNDLES, NOTHING, OWN = "/bundles", "/empty", "/bot"


class BundleTemplate(Template):
    """A template whose forks get their bundle with their order."""

    def load_more(self) -> None:
        """Rehearse with a bundle, and open the libraries that a fork cannot open any more."""
        rehearse_bundle(self.home, self.sdk)
        self.memory = Memory()

    def furnish(self, order: str) -> None:
        """Show the bundle that the order names, cover all others, and set the limits."""
        name, *limits = order.split()
        # As they are where they come from, and nobody can change that: read-only, no programs.
        bind(f"{BUNDLES}/{name}", OWN)
        bind(NOTHING, BUNDLES)
        program.set_limits(self.memory.limits(limits))


def main() -> None:
    """Be the template; in a fork, be the program in the box."""
    template = BundleTemplate(HOME, sys.argv[1:])
    del sys.argv[1:]
    become_box(template, *template.wait())
    program.serve(template.sdk, template.decode, load_bundle)


if __name__ == "__main__":
    main()
