"""The program in the box of a bundle, where every box is started by a command of its own."""

import sys

if __name__ == "__main__":
    __package__ = "inside_box"
    HOME = sys.argv[0].removesuffix("/inside_box/bundle_main.pyc")
    sys.path += [HOME, f"{sys.prefix}/packages"]

from . import main as program
from .answering import WIRE, decoder
from .bundles import load_bundle
from .enclose import set_filter
from .memory import Memory


def main() -> None:
    """Put up the walls, and serve."""
    wire, sdk_entry, preload, second, enclosed, *limits = sys.argv[1:]
    if enclosed:
        program.enclose_self(enclosed)
    program.move_descriptor(int(wire), WIRE)
    del sys.argv[1:]
    program.add_games(HOME)
    sdk = __import__(sdk_entry, fromlist=["Bot"])
    if preload:
        __import__(preload)
    program.use_log()
    decode = decoder(sdk.View)
    program.set_limits(Memory().limits(limits))
    set_filter(bytes.fromhex(second))
    program.serve(sdk, decode, load_bundle)


if __name__ == "__main__":
    main()
