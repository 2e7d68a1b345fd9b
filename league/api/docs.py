"""The API reference: a page of plain HTML made from the OpenAPI document, without scripts."""

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase

from league.api.openapi import Json, operations


@dataclass(frozen=True, slots=True)
class OperationDoc:
    """An operation as the page shows it."""

    name: str
    method: str
    path: str
    summary: str
    description: str
    key: str
    parameters: list[Json]
    sent: dict[str, str]
    """Examples of request bodies, by media type."""
    responses: list[tuple[str, str]]
    answered: str | None
    """An example of the response body."""


class Reference(DocsBase):
    """The reference page, in place of Ninja's, which would load scripts."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        """Render the reference page."""
        document = api.get_openapi_schema()
        schemes = document["components"]["securitySchemes"]
        groups: dict[str, list[OperationDoc]] = {}
        for path, method, operation in operations(document):
            entry = _describe(path, method, operation, schemes)
            groups.setdefault(operation["tags"][0], []).append(entry)
        context = {
            "info": document["info"],
            "groups": groups,
            "section": "docs",
            "document_url": self.get_openapi_url(api, kwargs),
        }
        return render(request, "api/reference.html", context)


def _describe(path: str, method: str, operation: Json, schemes: Json) -> OperationDoc:
    sent = operation.get("requestBody", {}).get("content", {})
    good = next(iter(operation["responses"].values())).get("content", {})
    examples = [_text(media["example"]) for media in good.values()]
    return OperationDoc(
        name=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        description=operation["description"],
        key=schemes[next(iter(operation["security"][-1]))]["description"],
        parameters=[_parameter(one) for one in operation["parameters"]],
        sent={kind: _text(media["example"]) for kind, media in sent.items()},
        responses=[(s, one["description"]) for s, one in operation["responses"].items()],
        answered=examples[0] if examples else None,
    )


def _parameter(one: Json) -> Json:
    kinds = [one["schema"], *one["schema"].get("anyOf", [])]
    values = [str(value) for kind in kinds for value in kind.get("enum", [])]
    return {
        "name": one["name"],
        "where": one["in"],
        "default": one["schema"].get("default"),
        "description": one.get("description", ""),
        "values": values,
    }


def _text(example: object) -> str:
    if isinstance(example, str):
        return example
    return json.dumps(example, indent=2, ensure_ascii=False)
