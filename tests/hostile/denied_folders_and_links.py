# tries: make, link, rename and remove files; verdict: ok
import os

from bots_sdk import Bot

PROBES = {
    "mkdir": lambda: os.mkdir("/x"),
    "symlink": lambda: os.symlink("/", "/x"),
    "link": lambda: os.link(os.__file__, "/x"),
    "rename": lambda: os.rename(os.__file__, "/x"),
    "unlink": lambda: os.unlink(os.__file__),
    "rmdir": lambda: os.rmdir("/usr"),
    "mkfifo": lambda: os.mkfifo("/x"),
    "mknod": lambda: os.mknod("/x"),
    "chmod": lambda: os.chmod(os.__file__, 0o777),
    "chown": lambda: os.chown(os.__file__, 0, 0),
    "utime": lambda: os.utime(os.__file__),
    "xattr": lambda: os.setxattr("/", "user.x", b"x"),
}


class Hostile(Bot):
    def decide(self, view, options):
        for name, attempt in PROBES.items():
            try:
                attempt()
            except OSError:
                continue
            raise AssertionError(f"escaped: {name}")
        return options[0]
