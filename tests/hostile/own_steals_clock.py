# tries: stop all clocks of its process, then loop; verdict: timeout
import time

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        for name in (
            "time",
            "monotonic",
            "perf_counter",
            "process_time",
            "thread_time",
            "clock_gettime",
        ):
            setattr(time, name, lambda *_: 0)
            setattr(time, name + "_ns", lambda *_: 0)
        while True:
            pass
