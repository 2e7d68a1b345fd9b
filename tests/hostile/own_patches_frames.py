# tries: change local names of the code around it; verdict: ok|raised|crashed|protocol|timeout
import ctypes
import sys

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        frame = sys._getframe(1)
        while frame is not None:
            for name in list(frame.f_locals):
                if name in ("number", "said", "source", "note"):
                    frame.f_locals[name] = 10**6
            ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
            frame = frame.f_back
        return options[0]
