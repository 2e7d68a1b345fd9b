"""Asking the API as a program does."""

import json

from django.test import Client

ROOT = "/api/v1/"


def ask(path, *, key=None, method="GET", send=None, form=None, **headers):
    """The answer to one request: with a key, a JSON body or a form, if given."""
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    body = {}
    if send is not None:
        body = {"data": send if isinstance(send, bytes) else json.dumps(send).encode()}
        body["content_type"] = "application/json"
    elif form is not None:
        body = {"data": form}
        return Client().post(ROOT + path, **body, headers=headers)
    return Client().generic(method, ROOT + path, **body, headers=headers)


def pages(path, **how):
    """The items of all pages of a list, page by page, following `next`."""
    found = []
    while path:
        page = ask(path, **how).json()
        found.append(page["items"])
        path = page["next"] and page["next"].split(ROOT, 1)[1]
    return found
