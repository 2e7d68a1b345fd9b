"""A generator of clients understands the whole document. `test_api_docs` uses such a client."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from league.api.app import api
from league.api.openapi import operations

DOCUMENT = api.get_openapi_schema()
BIN = Path(sys.executable).parent
IMPORT_ALL = """
import importlib, pkgutil, karat_client
for module in pkgutil.walk_packages(karat_client.__path__, "karat_client."):
    importlib.import_module(module.name)
    print(module.name)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The generated client. Whatever the generator skips or warns of is a failure."""
    folder = tmp_path_factory.mktemp("client")
    document = folder / "openapi.json"
    document.write_text(json.dumps(DOCUMENT))
    generator = [BIN / "openapi-python-client", "generate", "--fail-on-warning"]
    generated = subprocess.run(
        [*generator, "--path", document, "--output-path", folder / "client"],
        # The generator tidies up with ruff, which it looks for in the path.
        env=os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert generated.returncode == 0, generated.stdout + generated.stderr
    assert "warning" not in (generated.stdout + generated.stderr).lower()
    return folder / "client"


def test_the_generated_client_has_every_operation_and_can_be_imported(folder):
    names = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL], cwd=folder, capture_output=True, text=True, check=True
    ).stdout.split()
    for _, _, operation in operations(DOCUMENT):
        tag = operation["tags"][0].lower()
        assert f"karat_client.api.{tag}.{operation['operationId']}" in names
    for schema in ("problem", "upload_form", "upload_in", "bot_change"):
        assert f"karat_client.models.{schema}" in names


def test_a_file_to_upload_and_a_refusal_have_types_of_their_own(folder):
    upload = (folder / "karat_client" / "api" / "bots" / "upload_version.py").read_text()
    assert "body: UploadIn | UploadForm" in upload
    assert "CheckedVersion | Problem" in upload
    assert "source: File" in (folder / "karat_client" / "models" / "upload_form.py").read_text()
