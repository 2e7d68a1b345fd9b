# tries: replace functions of json, os and others; verdict: ok|raised|crashed|protocol|timeout
import json
import json.encoder
import os
import socket
import struct

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        for module in (json, json.encoder, os, socket, struct):
            for name in (
                "dumps",
                "dump",
                "loads",
                "pack",
                "unpack",
                "write",
                "read",
                "send",
                "recv",
            ):
                if hasattr(module, name):
                    setattr(module, name, lambda *_, **__: b"win")
        return options[0]
