"""Reading a page as people do."""

import re


def text_of(answer):
    """The words of an answer without its markup."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", answer.content.decode()))


def markup_of(answer):
    """The markup of an answer without the white space by which a template is indented."""
    return re.sub(r" ?(<[^>]+>) ?", r"\1", re.sub(r"\s+", " ", answer.content.decode()))
