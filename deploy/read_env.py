#!/usr/bin/env python3
"""Reads a file of settings exactly as systemd reads an EnvironmentFile.

    deploy/read_env.py FILE

Prints NAME=value for each, ended by a zero byte. A shell that read the file itself would take `&`,
`$` and spaces for its own. Needs nothing but Python.
"""

import re
import sys

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
BLANK = " \t\r\n"
ESCAPED_IN_QUOTES = '"\\`$'


class Unclear(Exception):
    """Versions of systemd read this differently."""


def read(text: str) -> tuple[dict[str, str], list[str]]:
    """Return the settings of a file, and the lines that systemd would leave out."""
    settings: dict[str, str] = {}
    ignored: list[str] = []
    position = 0
    while position < len(text):
        if text[position] in BLANK:
            position += 1
            continue
        end = _end_of_line(text, position)
        if text[position] in "#;":
            line = text.count("\n", 0, position) + 1
            if text[position:end].endswith("\\"):
                raise Unclear(f"line {line}: a comment must not end with a backslash")
            position = end
            continue
        # The first character belongs to the name, whatever it is.
        equals = text.find("=", position + 1, end)
        if equals < 0:
            ignored.append(text[position:end])
            position = end
            continue
        name = text[position:equals].rstrip(BLANK)
        value, position = _value(text, equals + 1)
        if NAME.match(name):
            settings[name] = value
        else:
            ignored.append(name)
    return settings, ignored


def _end_of_line(text: str, position: int) -> int:
    ends = [found for mark in "\n\r" if (found := text.find(mark, position)) >= 0]
    return min(ends, default=len(text))


def _value(text: str, position: int) -> tuple[str, int]:
    """Return what stands right of the `=`, and where the next line begins."""
    value = ""
    # Quotes count where the value begins, and again right after such a quote.
    while position < len(text) and text[position] not in "\n\r":
        mark = text[position]
        if mark in BLANK:
            position += 1
        elif mark == "'":
            end = text.find("'", position + 1)
            end = len(text) if end < 0 else end
            value += text[position + 1 : end]
            position = end + 1
        elif mark == '"':
            part, position = _double_quoted(text, position + 1)
            value += part
        else:
            part, position = _bare(text, position)
            return value + part, position
    return value, position


def _double_quoted(text: str, position: int) -> tuple[str, int]:
    value = ""
    while position < len(text) and text[position] != '"':
        mark = text[position]
        if mark != "\\" or position + 1 == len(text):
            value += mark if mark != "\\" else ""
            position += 1
            continue
        escaped = text[position + 1]
        position += 2
        if escaped in ESCAPED_IN_QUOTES:
            value += escaped
        elif escaped != "\n":
            value += mark + escaped
    return value, position + 1


def _bare(text: str, position: int) -> tuple[str, int]:
    """Read to the end of the line; a backslash keeps the next character, or joins two lines."""
    value = ""
    blank_from: int | None = None
    while position < len(text) and text[position] not in "\n\r":
        mark = text[position]
        if mark == "\\":
            escaped = text[position + 1 : position + 2]
            value += escaped if escaped not in "\n\r" else ""
            blank_from = None
            position += 2
            continue
        if mark not in BLANK:
            blank_from = None
        elif blank_from is None:
            blank_from = len(value)
        value += mark
        position += 1
    return (value if blank_from is None else value[:blank_from]), position


def main() -> None:
    """Print the settings of the file that is named."""
    try:
        with open(sys.argv[1], encoding="utf-8", newline="") as file:
            settings, ignored = read(file.read())
    except (OSError, UnicodeDecodeError, Unclear) as error:
        sys.exit(f"{sys.argv[1]}: {error}")
    for what in ignored:
        print(f"{sys.argv[1]}: ignored, as systemd does: {what!r}", file=sys.stderr)
    for name, value in settings.items():
        sys.stdout.write(f"{name}={value}\0")


if __name__ == "__main__":
    main()
