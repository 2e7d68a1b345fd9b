"""Reading a page as people do."""

import re
from html.parser import HTMLParser


def text_of(answer):
    """The words of an answer without its markup."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", answer.content.decode()))


def markup_of(answer):
    """The markup of an answer without the white space by which a template is indented."""
    return re.sub(r" ?(<[^>]+>) ?", r"\1", re.sub(r"\s+", " ", answer.content.decode()))


class _Unopened(HTMLParser):
    """Collects what a page says while nobody has opened anything in it."""

    def __init__(self):
        super().__init__()
        self.words = []
        self._details = []
        """Whether those around are open."""
        self._summaries = self._skipped = 0

    def handle_starttag(self, tag, attrs):
        told = dict(attrs)
        if tag in SKIPPED:
            self._skipped += 1
        if tag == "summary":
            self._summaries += 1
        if self._is_read():
            self.words += [told[name] or "" for name in SPOKEN if name in told]
        if tag == "details":
            self._details.append("open" in told)

    def handle_endtag(self, tag):
        if tag in SKIPPED:
            self._skipped -= 1
        if tag == "summary":
            self._summaries -= 1
        if tag == "details":
            self._details.pop()

    def handle_data(self, data):
        if self._is_read():
            self.words.append(data)

    def _is_read(self):
        around = self._details[:-1] if self._summaries else self._details
        return all(around) and not self._skipped


SKIPPED = ("script", "aside")
"""Data, and the log beside the table: who reads to its end knows the end."""
SPOKEN = ("content", "title", "aria-label", "value", "alt")


def unopened_text_of(answer):
    """The words of a page, and those said about it, without what closed details hold."""
    reader = _Unopened()
    reader.feed(answer.content.decode())
    return re.sub(r"\s+", " ", " ".join(reader.words))
