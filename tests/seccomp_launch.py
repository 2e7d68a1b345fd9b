"""Starts a program behind a seccomp profile as container engines read it, without an engine.

    python -m tests.seccomp_launch PROFILE COMMAND...

Engines hand the profile to libseccomp; so does this.
"""

import ctypes
import json
import os
import platform
import sys
from pathlib import Path

LIBRARY = "libseccomp.so.2"
ALLOW = 0x7FFF0000
ERRNO = 0x00050000
_ACTIONS = {"SCMP_ACT_ALLOW": ALLOW, "SCMP_ACT_ERRNO": ERRNO}


def load(profile):
    """Put this process and all it starts behind the profile."""
    library = ctypes.CDLL(LIBRARY)
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_rule_add_array.argtypes = [
        *(ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p)
    ]
    library.seccomp_load.argtypes = [ctypes.c_void_p]
    assert f"SCMP_ARCH_{platform.machine().upper()}" in profile["architectures"]
    default = _ACTIONS[profile["defaultAction"]] | profile.get("defaultErrnoRet", 0)
    context = library.seccomp_init(ctypes.c_uint32(default))
    for rule in profile["syscalls"]:
        action = _ACTIONS[rule["action"]] | rule.get("errnoRet", 0)
        for name in rule["names"]:
            number = library.seccomp_syscall_resolve_name(name.encode())
            # Calls this processor or this libseccomp does not know are left out, as engines do.
            if number >= 0:
                failed = library.seccomp_rule_add_array(context, action, number, 0, None)
                assert not failed, name
    failed = library.seccomp_load(context)
    assert not failed, os.strerror(-failed)


if __name__ == "__main__":
    load(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    os.execvp(sys.argv[2], sys.argv[2:])
