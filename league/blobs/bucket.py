"""Blobs as objects of a bucket, through django-storages. Needs the extra `s3` of the package.

Nothing imports this but Django, when BLOB_STORE names a bucket.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from storages.backends.s3 import S3Storage

P = ParamSpec("P")
R = TypeVar("R")


def _as_os_error(function: Callable[P, R]) -> Callable[P, R]:
    """Turn failures of the service into OSError, which is what other storages raise."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except (BotoCoreError, ClientError) as error:
            raise OSError(str(error)) from error

    return call


class Bucket(S3Storage):  # type: ignore[misc]
    """Private objects under the very names that were asked for."""

    def __init__(self, **options: Any) -> None:
        # Servers other than Amazon's seldom have a host name for each bucket.
        style = "path" if options.get("endpoint_url") else "auto"
        config = Config(
            connect_timeout=5,
            read_timeout=30,
            retries={"max_attempts": 3},
            s3={"addressing_style": style},
        )
        super().__init__(file_overwrite=True, client_config=config, **options)

    _open = _as_os_error(S3Storage._open)
    _save = _as_os_error(S3Storage._save)
    delete = _as_os_error(S3Storage.delete)
    exists = _as_os_error(S3Storage.exists)
    size = _as_os_error(S3Storage.size)
    get_modified_time = _as_os_error(S3Storage.get_modified_time)
    listdir = _as_os_error(S3Storage.listdir)
