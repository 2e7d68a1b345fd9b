"""Bundles of one's own: a folder is played from where it lies, a zip from a folder of its own.

The latter is private, and is removed when the process ends. Whoever plays a bundle in this process
trusts it; still, a zip is unpacked with the same care as a stranger's.
"""

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from runners.bundles.bundle import Bundle
from runners.bundles.modules import PythonFile, PythonFiles
from runners.bundles.pack import read_folder
from runners.bundles.unpack import unpack
from runners.bundles.unpacked import UnpackedBundle, imports_numpy
from runners.upload.finding import Finding
from runners.upload.source import compile_source

ZIP = ".zip"


def is_bundle(path: Path) -> bool:
    """Return whether a path names a bundle, a folder or a zip, and no single file."""
    return path.suffix.lower() == ZIP or path.is_dir()


def read_bundle(path: Path) -> Bundle:
    """Return the bundle in a folder or a zip, or raise a `Finding`."""
    return read_folder(path) if path.is_dir() else unpack(path.read_bytes())


def open_bundle(path: Path) -> UnpackedBundle:
    """Return a bundle to be played in this process, or raise a `Finding`."""
    bundle = read_bundle(path)
    folder = path.absolute() if path.is_dir() else _lay_out(bundle)
    entry = bundle.entry
    assert entry is not None
    texts = {
        path: data.decode("utf-8-sig", "replace") for path, data in bundle.python_files.items()
    }
    numpy = any(imports_numpy(text) for text in texts.values())
    data_bytes = bundle.listing.data_bytes
    return UnpackedBundle(bundle.digest, folder, entry, texts[entry], data_bytes, numpy)


def compile_files(
    bundle: UnpackedBundle, paths: Iterable[str], texts: Mapping[str, str], name: str
) -> PythonFiles:
    """Compile all Python files; tracebacks find them below this name.

    Raise a `Finding` if one is no Python.
    """
    files = {}
    for path, text in texts.items():
        try:
            code = compile_source(text, f"{name}/{path}")
        except Finding as finding:
            finding.file = path
            raise
        files[path] = PythonFile(text, code, f"{name}/{path}")
    folders = {str(folder) for path in paths for folder in PurePosixPath(path).parents}
    return PythonFiles(bundle.folder, bundle.entry, files, frozenset(folders - {"."}))


def _lay_out(bundle: Bundle) -> Path:
    """Write a bundle to a private folder that is removed when this process ends."""
    folder = Path(tempfile.mkdtemp(prefix="karat-bundle-"))
    _private_folders.append((folder, os.getpid()))
    for place, data in bundle.files.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def remove_private_folders() -> None:
    """Remove the folders of zips; for whoever ends this process without its farewells."""
    for folder, creator_pid in _private_folders:
        # A fork knows the folders as well, and its parent still needs them.
        if os.getpid() == creator_pid:
            shutil.rmtree(folder, ignore_errors=True)


_private_folders: list[tuple[Path, int]] = []
atexit.register(remove_private_folders)
