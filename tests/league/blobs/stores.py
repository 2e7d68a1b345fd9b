"""The places where blobs can be, for tests that hold for all of them."""

import socket

import boto3
import pytest
from moto.server import ThreadedMotoServer

from league.config.blob_store import storages

KEYS = ("key", "secret")
BUCKET = "karat"


@pytest.fixture(scope="session")
def s3_address():
    """A bucket of a server on this machine that speaks the protocol of S3."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


def make_bucket(address):
    """A connection to the service, and an empty bucket in it."""
    names = {"aws_access_key_id": KEYS[0], "aws_secret_access_key": KEYS[1]}
    client = boto3.client("s3", endpoint_url=address, region_name="us-east-1", **names)
    client.create_bucket(Bucket=BUCKET)
    return client


def nobody_listens():
    """An address where nobody answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


def use(settings, address):
    """Let the league store its blobs there."""
    kept = {name: value for name, value in settings.STORAGES.items() if name != "blobs"}
    settings.STORAGES = {**kept, **storages(address)}


@pytest.fixture(params=["database", "folder", "bucket"])
def blob_store(request, settings, tmp_path):
    """A test with this fixture runs for each place."""
    if request.param == "folder":
        use(settings, str(tmp_path / "blobs"))
    elif request.param == "bucket":
        url = request.getfixturevalue("s3_address")
        client = make_bucket(url)
        for entry in client.list_objects_v2(Bucket=BUCKET).get("Contents", ()):
            client.delete_object(Bucket=BUCKET, Key=entry["Key"])
        key, secret = KEYS
        use(
            settings,
            f"s3://{key}:{secret}@{BUCKET}/league?endpoint_url={url}&region_name=us-east-1",
        )
    return request.param
