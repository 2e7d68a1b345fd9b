"""Completes the OpenAPI document with what Ninja omits. Pure: works on the plain document.

Every operation gets the errors that any request can cause, the media type of problem documents,
and examples composed of those of the fields.
"""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from league.api.problems import MEDIA_TYPE, Problem

Json = dict[str, Any]
_REF = "#/components/schemas/"
_WITH_BODY = (400, 413)


def finish(document: Json) -> Json:
    """Complete the document in place, and return it."""
    schemas = document["components"]["schemas"]
    problem = Problem.model_json_schema(ref_template=_REF + "{model}")
    schemas |= problem.pop("$defs", {}) | {"Problem": problem}
    for path, method, operation in operations(document):
        _name_bodies(operation, schemas)
        for parameter in operation["parameters"]:
            # Ninja copies the list of its schema, but a parameter needs names for its examples.
            parameter.pop("examples", None)
        _allow_guests(operation)
        _add_errors(path, method, operation)
        for media in _media(operation):
            media["example"] = example(media["schema"], schemas)
    return document


def operations(document: Json) -> Iterator[tuple[str, str, Json]]:
    """Yield all operations with their paths and methods."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def example(schema: Json, schemas: Json) -> Any:
    """Return an example of a schema, composed of the examples and defaults in it."""
    if "$ref" in schema:
        return example(schemas[schema["$ref"].removeprefix(_REF)], schemas)
    if "examples" in schema:
        return schema["examples"][0]
    if "default" in schema:
        return schema["default"]
    if "anyOf" in schema:
        return example(schema["anyOf"][0], schemas)
    if schema.get("type") == "array":
        return [example(schema["items"], schemas)]
    if schema.get("type") == "object":
        fields = schema.get("properties", {})
        return {name: example(field, schemas) for name, field in fields.items()}
    return "…"


def _name_bodies(operation: Json, schemas: Json) -> None:
    """Move bodies written out in an operation to the named schemas, as generated clients want."""
    for media in operation.get("requestBody", {}).get("content", {}).values():
        if name := media["schema"].get("title"):
            schemas[name] = media["schema"]
            media["schema"] = {"$ref": f"{_REF}{name}"}


def _allow_guests(operation: Json) -> None:
    """Mark the key as optional where guests are admitted."""
    if {"Anyone": []} in operation.get("security", []):
        operation["security"] = [{}, {"Anyone": []}]


def _add_errors(path: str, method: str, operation: Json) -> None:
    """Declare all possible errors of an operation, with problem documents as their bodies."""
    # Unknown parameters are refused everywhere, hence 422.
    statuses = {401, 422, 429, 500}
    if operation["security"] != [{}, {"Anyone": []}] and "AnyKey" not in operation["security"][0]:
        statuses.add(403)
    if "{" in path:
        statuses.add(404)
    if "requestBody" in operation:
        statuses |= {*_WITH_BODY}
    responses = operation["responses"]
    declared = {int(status) for status in responses if int(status) >= 400}
    for status in statuses | declared:
        responses[status] = {
            "description": HTTPStatus(status).phrase,
            "content": {MEDIA_TYPE: {"schema": {"$ref": f"{_REF}Problem"}}},
        }
    if method == "get":
        responses[304] = {"description": "Not modified (`If-None-Match`)."}
    operation["responses"] = {
        str(status): responses[status] for status in sorted(responses, key=int)
    }


def _media(operation: Json) -> Iterator[Json]:
    """Yield all bodies of requests and responses except problem documents."""
    if "requestBody" in operation:
        yield from operation["requestBody"]["content"].values()
    for response in operation["responses"].values():
        for kind, media in response.get("content", {}).items():
            if kind != MEDIA_TYPE:
                yield media
