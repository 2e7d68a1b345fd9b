"""Where the files of bundles are stored outside of the database, as Django's settings say it."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

_BUCKET_OPTIONS = {"endpoint_url", "region_name"}
_EXAMPLES = "a folder such as /var/lib/karat/blobs, or s3://bucket/prefix?endpoint_url=https://…"


def storages(address: str) -> dict[str, dict[str, Any]]:
    """Return the storage `blobs` of Django's STORAGES; none if they are in the database."""
    if not address:
        return {}
    parts = urlsplit(address)
    if parts.scheme == "s3":
        return {"blobs": _bucket(address)}
    folder = Path(unquote(parts.path) if parts.scheme == "file" else address)
    if parts.scheme not in {"", "file"} or parts.netloc or not folder.is_absolute():
        raise ImproperlyConfigured(f"BLOB_STORE must be {_EXAMPLES}, not {address!r}.")
    options = {"location": str(folder)}
    return {"blobs": {"BACKEND": "league.blobs.folder.Folder", "OPTIONS": options}}


def _bucket(address: str) -> dict[str, Any]:
    """Return the storage for a bucket. Keys come from the address or the usual AWS variables."""
    parts = urlsplit(address)
    options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    if unknown := options.keys() - _BUCKET_OPTIONS:
        names = ", ".join(sorted(unknown))
        raise ImproperlyConfigured(f"BLOB_STORE knows endpoint_url and region_name, not {names}.")
    if not parts.hostname:
        raise ImproperlyConfigured(f"BLOB_STORE must be {_EXAMPLES}, not {address!r}.")
    keys = {
        "access_key": unquote(parts.username or ""),
        "secret_key": unquote(parts.password or ""),
    }
    return {
        "BACKEND": "league.blobs.bucket.Bucket",
        "OPTIONS": {
            "bucket_name": parts.hostname,
            "location": parts.path.strip("/"),
            **options,
            **{name: key for name, key in keys.items() if key},
        },
    }
