"""What the head of a `.npy` file says, read in a child. No array is made of it."""

import ast
import json

_MAGIC = b"\x93NUMPY"
_SIZE_BYTES = {1: 2, 2: 4, 3: 4}
"""How many bytes the size of the head has, by the version of the format."""
_NAMES = {"f": "float", "i": "int", "u": "uint", "b": "bool", "c": "complex"}
MAX_DIMENSIONS = 32


def answer(data: bytes) -> bytes:
    """Return the shape and the type as JSON; `null` if this is not the head of an array."""
    try:
        return json.dumps(_read(data)).encode()
    except (ValueError, SyntaxError, TypeError, LookupError, AttributeError):
        return b"null"


def _read(data: bytes) -> dict[str, object]:
    if not data.startswith(_MAGIC):
        raise ValueError("another kind of file")
    start = len(_MAGIC) + 2
    end = start + _SIZE_BYTES[data[len(_MAGIC)]]
    head = data[end : end + int.from_bytes(data[start:end], "little")]
    facts = ast.literal_eval(head.decode("latin-1").strip())
    shape = [int(size) for size in facts["shape"]][:MAX_DIMENSIONS]
    return {"shape": shape, "type": _name(str(facts["descr"]))}


def _name(code: str) -> str:
    """Return `float32` for `<f4`; what is not a plain number keeps its code."""
    kind, size = code[1:2], code[2:]
    if kind not in _NAMES or not size.isdecimal() or len(size) > 2:
        return code[:40]
    return "bool" if kind == "b" else f"{_NAMES[kind]}{8 * int(size)}"
