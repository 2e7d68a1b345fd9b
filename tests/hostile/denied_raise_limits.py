# tries: raise its own limits; verdict: ok
import resource

from bots_sdk import Bot


def raise_limit(which):
    resource.setrlimit(which, (1 << 40, 1 << 40))


PROBES = {
    "memory": lambda: raise_limit(resource.RLIMIT_AS),
    "files": lambda: raise_limit(resource.RLIMIT_FSIZE),
    "processes": lambda: raise_limit(resource.RLIMIT_NPROC),
    "descriptors": lambda: raise_limit(resource.RLIMIT_NOFILE),
    "core": lambda: raise_limit(resource.RLIMIT_CORE),
    "prlimit": lambda: resource.prlimit(0, resource.RLIMIT_AS, (1 << 40, 1 << 40)),
}


class Hostile(Bot):
    def decide(self, view, options):
        for name, attempt in PROBES.items():
            try:
                attempt()
            except (OSError, ValueError):
                continue
            raise AssertionError(f"escaped: {name}")
        return options[0]
