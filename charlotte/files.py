"""Owns files: which may be read and written, how they are, and the names of those from pages."""

import errno
import itertools
import os
import stat
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import attrs

from charlotte.errors import InvalidArgument, StorageFailed

_LONGEST_STEM = 150
_LONGEST_SUFFIX = 20
_LONGEST_QUOTE = 200
_ABSENT = {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}


@attrs.frozen
class Roots:
    """The directories that agents work in, resolved; relative paths are looked for in the order."""

    directories: tuple[Path, ...]

    def files(self, paths: Sequence[str]) -> list[Path]:
        """The files to be read, symbolic links followed; `InvalidArgument` tells all problems."""
        found = [self._inside(path) for path in paths]
        problems = [
            problem
            for path, file in zip(paths, found, strict=True)
            if (problem := self._problem(path, file))
        ]
        if problems:
            named = ", ".join(map(str, self.directories))
            raise InvalidArgument(
                f"No file was taken: {'; '.join(problems)}.",
                f"Files can be in: {named}. More directories are allowed with --root.",
            )
        return [file for file in found if file]

    def directory(self, path: str) -> Path:
        """A directory to be read, symbolic links followed; raises `InvalidArgument`."""
        place = self._inside(path)
        kind = mode(place) if place else None
        if place and kind and stat.S_ISDIR(kind):
            return place
        problem = "no directory" if kind else "not there"
        named = ", ".join(map(str, self.directories))
        raise InvalidArgument(
            f"{path[:200]!r} is {problem if place else 'outside of the roots'}.",
            f"It can be one of, or lie in: {named}. More are allowed with --root.",
        )

    def place(self, path: str) -> Path:
        """Where a directory is to be, whether it is there or not; raises `InvalidArgument`."""
        if place := self._inside(path):
            kind = mode(place)
            if kind and not stat.S_ISDIR(kind):
                raise InvalidArgument(f"{path[:200]!r} is no directory.", "Name a directory.")
            return place
        named = ", ".join(map(str, self.directories))
        raise InvalidArgument(
            f"{path[:200]!r} is outside of the directories that may be written to.",
            f"It can be one of, or lie in: {named}. More are allowed with --root.",
        )

    def new_file(self, path: str, suffix: str) -> Path:
        """Where to write, which is the first directory unless the path says more.

        Only there a file may be replaced. Raises `InvalidArgument`.
        """
        place = next(iter(self.places(path)), None)
        if place is None:
            problem = "is outside of the directories that may be written to"
        elif place.suffix.lower() != suffix:
            problem = f"does not end in {suffix}"
        elif mode(place) and not place.is_relative_to(self.directories[0]):
            problem = "exists already"
        else:
            return place
        named = ", ".join(map(str, self.directories))
        raise InvalidArgument(
            f"Nothing was written: {path[:200]!r} {problem}.",
            f"Take a name ending in {suffix} that is not taken, in one of: {named}.",
        )

    def free_file(self, name: str) -> Path:
        """Where to write what shall replace nothing: its name is numbered if it is taken."""
        wanted = self.directories[0] / safe_name(name)
        return next(place for place in _numbered(wanted) if not mode(place))

    def is_hidden(self, place: Path) -> bool:
        """Whether the path below a root has a name with a leading dot, for every root it is in."""
        below = [place.relative_to(one) for one in self.directories if place.is_relative_to(one)]
        return all(any(part.startswith(".") for part in path.parts) for path in below)

    def check(self, path: str) -> None:
        """Raise `InvalidArgument` for a path that the file system refuses."""
        self._inside(path)

    def _inside(self, path: str) -> Path | None:
        """Where a path leads, if that is in a root: what else there is, nobody is told."""
        inside = self.places(path)
        return next((place for place in inside if mode(place)), next(iter(inside), None))

    def places(self, path: str) -> list[Path]:
        """Return where a path leads inside each of the directories, whether it exists or not."""
        if "\0" in path:
            return []
        places = [self._resolved(root / path) for root in self.directories]
        return [place for place in places if place and self._holds(place)]

    def _resolved(self, path: Path) -> Path | None:
        try:
            return path.resolve()
        except (OSError, RuntimeError, ValueError):  # circular links; no possible name
            return None

    def _holds(self, place: Path) -> bool:
        return any(place.is_relative_to(root) for root in self.directories)

    def _problem(self, path: str, file: Path | None) -> str:
        if file is None:
            return f"{path!r} is outside of the roots"
        kind = mode(file)
        if not kind:
            return f"{path!r} does not exist"
        return "" if stat.S_ISREG(kind) else f"{path!r} is no file"


def mode(place: Path) -> int | None:
    """Return the type and permission bits of a file, None if nothing is there.

    Raises `InvalidArgument` for a path that the file system refuses: a name that is too long, a
    directory that may not be entered.
    """
    try:
        return place.stat().st_mode
    except ValueError:  # a character that no file name can have
        return None
    except OSError as error:
        if error.errno in _ABSENT:
            return None
        raise _unusable(place, error) from error


def _unusable(place: Path, error: OSError) -> InvalidArgument:
    shown = str(place)
    if len(shown) > _LONGEST_QUOTE:
        shown = f"{shown[:_LONGEST_QUOTE]}…"
    return InvalidArgument(
        f"{shown} cannot be used: {error.strerror}.", "Pass the path of another file or directory."
    )


def not_creatable(directory: Path) -> str | None:
    """Return why a directory cannot be created or written to, None if it can."""
    there = next(one for one in (directory, *directory.parents) if _exists(one))
    if not there.is_dir():
        return f"{there} is not a directory"
    return None if os.access(there, os.W_OK | os.X_OK) else f"{there} cannot be written to"


def _exists(place: Path) -> bool:
    try:
        return place.exists()
    except OSError:  # a name that is too long, a directory that may not be entered
        return False


def make_private(directory: Path) -> None:
    """Create a directory, and those above it that do not exist, for their owner alone."""
    if not directory.is_dir():
        if directory.parent != directory:
            make_private(directory.parent)
        directory.mkdir(mode=0o700, exist_ok=True)


def write(place: Path, data: bytes) -> None:
    """Write a file at once or not at all, readable to its owner alone.

    Raises `InvalidArgument` for a name that is too long, otherwise `StorageFailed`.
    """
    try:
        make_private(place.parent)
        with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as file:
            _put(file, data, place)
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise _unusable(place, error) from error
        raise StorageFailed(f"{place} could not be written: {error.strerror}.") from error


def _put(file: IO[bytes], data: bytes, place: Path) -> None:
    """Write it all and give it its place, or leave no file."""
    try:
        file.write(data)
        file.flush()
        Path(file.name).replace(place)
    except OSError:
        Path(file.name).unlink()
        raise


def safe_name(suggested: str) -> str:
    """A file name out of one that a page suggests: no path, nothing hidden, of bearable length."""
    name = "".join(
        "_" if one in '/\\:*?"<>|' or not one.isprintable() else one for one in suggested
    )
    stem, dot, suffix = name.strip(" ._").rpartition(".")
    if not stem:
        stem, dot, suffix = suffix, "", ""
    stem, suffix = _cut(stem, _LONGEST_STEM), _cut(suffix, _LONGEST_SUFFIX)
    return f"{stem}{dot}{suffix}" or "download"


def _numbered(place: Path) -> Iterator[Path]:
    """A place, and others beside it if it is taken."""
    yield place
    for number in itertools.count(2):
        yield place.with_name(f"{place.stem}-{number}{place.suffix}")


def _cut(text: str, most: int) -> str:
    """As much of a text as fits into that many bytes."""
    return text.encode(errors="replace")[:most].decode(errors="ignore")


def keep_as(file: Path, suggested: str) -> Path:
    """Give a file a name beside it that nothing else has, readable to its owner alone."""
    file.chmod(0o600)
    for path in _numbered(file.with_name(safe_name(suggested))):
        try:
            path.touch(mode=0o600, exist_ok=False)
        except FileExistsError:
            continue
        return file.replace(path)
    raise AssertionError("there is always another number")
