"""Blobs as files of one folder: a local disk, or one that several hosts mount."""

import os
from pathlib import Path
from secrets import token_hex

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage

GROWING = ".growing"
"""How the names of files end that are being written."""


class Folder(FileSystemStorage):
    """Files that appear whole or not at all, under the very name that was asked for."""

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """Return the name itself: equal names have equal contents."""
        del max_length
        return name

    def _save(self, name: str, content: "File[bytes]") -> str:
        path = Path(self.path(name))
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        growing = path.with_name(f"{path.name}.{token_hex(8)}{GROWING}")
        try:
            with growing.open("xb") as file:
                os.chmod(growing, 0o600)
                file.writelines(content.chunks())
                file.flush()
                os.fsync(file.fileno())
            growing.replace(path)
        finally:
            growing.unlink(missing_ok=True)
        return name
