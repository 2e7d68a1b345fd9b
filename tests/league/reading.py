"""Reading a page as people do."""

import re


def text_of(answer):
    """The words of an answer without its markup."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", answer.content.decode()))
