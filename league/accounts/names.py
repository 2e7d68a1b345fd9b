"""Rules for the names people choose: one normal form for each, and none that deceives.

Pure: text in, text or a reason out. Callers check whether a name is already taken.
"""

import unicodedata
from collections.abc import Iterable

STAFF_WORDS = frozenset({"admin", "administrator", "moderator", "official", "staff", "superuser"})
"""Words that no name may contain, because they suggest an official role."""
RESERVED = frozenset(
    {
        *STAFF_WORDS,
        *("karat", "house", "root", "system", "support", "security", "webmaster", "postmaster"),
        *(
            "anonymous",
            "nobody",
            "guest",
            "former",
            "deleted",
            "hidden",
            "null",
            "none",
            "undefined",
        ),
        *("account", "accounts", "api", "bots", "check", "docs", "feed", "games", "login"),
        *("logout", "matches", "me", "metrics", "new", "organise", "sdk", "search", "signup"),
        *("static", "status", "tournaments", "users"),
    }
)
"""Names that nobody may have: roles, and words used in the site's URLs."""
SCRIPTS_TOGETHER = (frozenset({"CJK", "HIRAGANA", "KATAKANA"}), frozenset({"CJK", "HANGUL"}))
"""Scripts that Japanese and Korean mix."""
_BLANK_LETTERS = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and symbols that are invisible."""
_SEPARATORS = frozenset(" _-.'")
_TAKEN_FOR = {
    "a": "\u0430\u03b1",
    "b": "\u0432\u03b2",
    "c": "\u0441\u03f2",
    "d": "\u0501",
    "e": "\u0435\u03b5",
    "h": "\u043d\u04bb",
    "j": "\u0458",
    "k": "\u043a\u03ba",
    "l": "1i|\u0456\u0131\u03b9",
    "m": "\u043c",
    "o": "0\u043e\u03bf",
    "p": "\u0440\u03c1",
    "q": "\u051b",
    "s": "5\u0455",
    "t": "\u0442\u03c4",
    "u": "\u03c5",
    "v": "\u0475\u03bd",
    "w": "\u051d\u03c9",
    "x": "\u0445\u03c7",
    "y": "\u0443",
}
_LOOKALIKES = {sign: letter for letter, signs in _TAKEN_FOR.items() for sign in signs}
"""Characters that look like a Latin letter, with that letter."""


def normalize(name: str) -> str:
    """Return the normal form of a name: NFKC, single spaces, none at the ends."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def refusal_reason(name: str) -> str | None:
    """Return why a normalized name is deceptive or reserved, or None if it is fine."""
    if reason := invisible_reason(name):
        return reason
    if len(scripts := _scripts(name)) > 1 and not any(scripts <= some for some in SCRIPTS_TOGETHER):
        mixed = " and ".join(sorted(one.title() for one in scripts))
        return f"`{name[:40]}` mixes letters of {mixed}, which look alike"
    plain = skeleton(name)
    parts = "".join(sign if sign.isalnum() else " " for sign in plain).split()
    staff_words = {skeleton(word) for word in STAFF_WORDS}
    if plain.strip("-") in {skeleton(word) for word in RESERVED} or staff_words & set(parts):
        return f"`{name[:40]}` is reserved for the league"
    return None


def invisible_reason(text: str) -> str | None:
    """Return why a line of text is refused for an invisible character, or None."""
    for sign in text:
        category = unicodedata.category(sign)
        if category[0] == "C" or category in {"Zl", "Zp"} or sign in _BLANK_LETTERS:
            return f"It contains an invisible character (U+{ord(sign):04X})"
    return None


def skeleton(name: str) -> str:
    """Return what a name looks like at a glance, with the same number of characters."""
    return "".join(_glance(sign) for sign in name)


def lookalike(name: str, others: Iterable[str]) -> str | None:
    """Return the first of the other names that looks like this one, or None."""
    plain = skeleton(name)
    return next((other for other in others if skeleton(other) == plain), None)


def _glance(sign: str) -> str:
    if sign in _SEPARATORS:
        return "-"
    base = unicodedata.normalize("NFKD", sign)[:1].lower()[:1]
    return _LOOKALIKES.get(base, base)


def _scripts(name: str) -> set[str]:
    """Return the scripts of the letters. Unicode names of letters begin with the script."""
    letters = [sign for sign in name if sign.isalpha()]
    return {unicodedata.name(sign, "UNKNOWN").split()[0].split("-")[0] for sign in letters}
