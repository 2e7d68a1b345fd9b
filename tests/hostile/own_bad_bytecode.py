# tries: run bytecode that no compiler makes; verdict: crashed
import os
import types

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        code = (lambda: 0).__code__
        types.FunctionType(code.replace(co_code=b"\x64\xff" * 64 + b"\x53\x00"), {})()
        os._exit(1)
