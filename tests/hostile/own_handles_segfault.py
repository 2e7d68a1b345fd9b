# tries: swallow its own segmentation faults; verdict: timeout|crashed|raised
import ctypes
import signal

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        signal.signal(signal.SIGSEGV, lambda *_: None)
        return ctypes.string_at(0)
