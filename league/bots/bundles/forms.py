"""Uploads as the API takes them in one request: JSON with a text, or a form with files."""

from typing import Annotated, Any

import pydantic
from django.core.files.uploadedfile import UploadedFile
from ninja import Field
from ninja.errors import ValidationError

from league.accounts.auth import ApiRequest
from league.api.unknown_names import Body
from league.bots.bundles.schemas import MAX_FILES, FilePath
from league.bots.models import MAX_PATH_LENGTH
from league.bots.schemas import Line, UploadIn
from league.errors import Refused
from runners.bundles.bundle import Bundle

MAX_BYTES = 2**40
"""Of a file, far above the limits, which have their own errors."""
FORM: dict[str, Any] = {
    "title": "UploadForm",
    "description": "A `.py` or a `.zip` in `source`, or several `files`, as a form sends them.",
    "type": "object",
    "properties": {
        "source": {
            "type": "string",
            "format": "binary",
            "maxLength": MAX_BYTES,
            "description": "A file with one bot class, or a bundle as a `.zip`.",
            "examples": ["(the file)"],
        },
        "files": {
            "type": "array",
            "items": {"type": "string", "format": "binary", "maxLength": MAX_BYTES},
            "maxItems": MAX_FILES,
            "description": "The files of a bundle, instead of `source`.",
            "examples": [["(a file)"]],
        },
        "paths": {
            "type": "array",
            "items": {"type": "string", "maxLength": MAX_PATH_LENGTH},
            "maxItems": MAX_FILES,
            "description": "The paths of `files` in the bundle, in the same order; without them"
            " the names of the files.",
            "examples": [["bot.py"]],
        },
        "note": {
            "type": "string",
            "maxLength": 200,
            "description": "What is new in it.",
            "examples": ["first try"],
        },
    },
    "additionalProperties": False,
}
BODY: dict[str, Any] = {
    "requestBody": {
        # One is required, but generators of clients break on two required bodies.
        "required": False,
        "description": "JSON with the text, or a form with the file or files.",
        "content": {
            "application/json": {"schema": UploadIn.model_json_schema()},
            "multipart/form-data": {"schema": FORM},
        },
    }
}


class _FilesForm(Body):
    """The form with several files, whose contents stand elsewhere in the request."""

    files: str
    paths: Annotated[list[FilePath], Field(max_length=MAX_FILES)] | None = None
    note: Line = ""


def read_upload(request: ApiRequest) -> tuple[bytes | Bundle, str]:
    """Return what is uploaded, and its note."""
    try:
        if request.content_type != "multipart/form-data":
            upload = UploadIn.model_validate_json(request.body)
            return upload.source.encode(), upload.note
        form = dict.fromkeys(request.FILES, "") | request.POST.dict()
        if "files" in request.FILES:
            return _read_files(request, form)
        upload = UploadIn.model_validate(form)
        file = request.FILES.get("source")
        return file.read() if file else upload.source.encode(), upload.note
    except pydantic.ValidationError as error:
        errors = error.errors(include_url=False, include_input=False, include_context=False)
        raise ValidationError([{**one, "loc": ("body", *one["loc"])} for one in errors]) from None


def _read_files(request: ApiRequest, form: dict[str, Any]) -> tuple[Bundle, str]:
    if "paths" in request.POST:
        form["paths"] = request.POST.getlist("paths")
    upload = _FilesForm.model_validate(form)
    files: list[UploadedFile[Any]] = request.FILES.getlist("files")
    paths = [file.name or "" for file in files] if upload.paths is None else upload.paths
    if len(paths) != len(files):
        reason = f"There are {len(files)} files and {len(paths)} paths"
        raise Refused("L009", status=422, reason=reason)
    if len(set(paths)) < len(paths):
        raise Refused("L009", status=422, reason="A path is there twice")
    return Bundle({path: file.read() for path, file in zip(paths, files, strict=True)}), upload.note
