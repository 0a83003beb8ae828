"""The files that a session has saved: their list, and their contents without secrets."""

import mimetypes
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

import attrs

from charlotte.base.errors import CharlotteError, InvalidArgument, ellipsize
from charlotte.base.files import Roots

_MAX_FILES = 100
_MAX_BYTES = 30_000_000
_TEXT_TYPES = {"application/json", "image/svg+xml"}


@attrs.frozen
class FileEntry:
    """A saved file; ``uri`` is ``file://…``, ``size`` in bytes."""

    uri: str
    name: str
    mime_type: str
    size: int


@attrs.frozen
class FileContents:
    """The contents of a saved file: text, or bytes if the file is not text."""

    data: str | bytes
    mime_type: str


def list_files(directories: Sequence[Path], hidden: Callable[[str], str]) -> list[FileEntry]:
    """Return the newest files of some directories, the newest first."""
    files = [
        file
        for directory in directories
        if directory.is_dir()
        for file in directory.iterdir()
        if file.is_file() and not file.is_symlink() and not file.name.startswith(".")
    ]
    newest = sorted(files, key=lambda file: file.stat().st_mtime, reverse=True)[:_MAX_FILES]
    return [
        FileEntry(
            uri=hidden(file.as_uri()),
            name=hidden(file.name),
            mime_type=_mime_type(file),
            size=file.stat().st_size,
        )
        for file in newest
    ]


def read_file(
    address: str, directories: Sequence[Path], hidden: Callable[[str], str]
) -> FileContents:
    """Return the file with a ``file:`` URI; its text is redacted, whatever the file's name.

    Raises `InvalidArgument` if it is not a file in one of the directories, or too large.
    """
    file = _find_file(address, directories)
    data, mime_type = file.read_bytes(), _mime_type(file)
    if mime_type.startswith("text/") or mime_type in _TEXT_TYPES:
        return FileContents(hidden(data.decode(errors="replace")), mime_type)
    with suppress(UnicodeDecodeError):
        data = hidden(data.decode()).encode()
    return FileContents(data, mime_type)


def not_found(address: str) -> InvalidArgument:
    """Return the error for an address without a file."""
    return InvalidArgument(f"Resource {ellipsize(address, 200)!r} not found.")


def _find_file(address: str, directories: Sequence[Path]) -> Path:
    roots = Roots(tuple(directory.resolve() for directory in directories))
    try:
        parts = urlsplit(address)
        (file,) = roots.files([unquote(parts.path)])
    except (CharlotteError, ValueError):
        raise not_found(address) from None
    if parts.scheme != "file" or file.parent not in roots.directories:
        raise not_found(address)
    if (size := file.stat().st_size) > _MAX_BYTES:
        raise InvalidArgument(f"{file.name} must have at most {_MAX_BYTES} bytes, got {size}.")
    return file


def _mime_type(file: Path) -> str:
    return mimetypes.guess_type(file.name)[0] or "application/octet-stream"
