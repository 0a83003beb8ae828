"""File access inside the roots, private files, and safe names for downloaded files."""

import errno
import itertools
import os
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import attrs

from charlotte.base.errors import InvalidArgument, StorageFailed, ellipsize

_LONGEST_STEM = 150
_LONGEST_SUFFIX = 20
_LONGEST_QUOTE = 200
_MOST_FILES = 1000
_ABSENT = {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}


@attrs.frozen
class Roots:
    """The directories that agents may use, resolved; relative paths are tried in their order."""

    directories: tuple[Path, ...]

    @property
    def _named(self) -> str:
        return ", ".join(map(str, self.directories))

    def files(self, paths: Sequence[str], *, folders: bool = False) -> list[Path]:
        """Resolve paths of files, or of ``folders``, to read; raises `InvalidArgument`.

        The error has all problems. A folder must not be large, and have no link to elsewhere.
        """
        found = [self.inside(path) for path in paths]
        problems: list[str] = []
        for path, file in zip(paths, found, strict=True):
            kind = mode(file) if file else None
            if file is None:
                problems.append(f"{path!r} is outside the roots")
            elif not kind:
                problems.append(f"{path!r} does not exist")
            elif folders and stat.S_ISDIR(kind):
                problems += [f"{path!r} {why}" for why in _find_problem(file)]
            elif not stat.S_ISREG(kind):
                problems.append(f"{path!r} is not a regular file")
        if problems:
            raise InvalidArgument(
                f"No file was read: {'; '.join(problems)}.",
                f"Pass files in: {self._named}. The flag --root allows more directories.",
            )
        return [file for file in found if file]

    def directory(self, path: str) -> Path:
        """Resolve the path of a directory to read; raises `InvalidArgument`."""
        place = self.inside(path)
        kind = mode(place) if place else None
        if place and kind and stat.S_ISDIR(kind):
            return place
        problem = "not a directory" if kind else "not found"
        raise self._directory_error(path, problem if place else "outside the roots")

    def place(self, path: str) -> Path:
        """Resolve the path of a directory to write, existing or not; raises `InvalidArgument`."""
        if place := self.inside(path):
            kind = mode(place)
            if kind and not stat.S_ISDIR(kind):
                raise InvalidArgument(
                    f"{ellipsize(path, 200)!r} is not a directory.", "Pass a directory."
                )
            return place
        raise self._directory_error(path, "outside the directories that may be written to")

    def _directory_error(self, path: str, problem: str) -> InvalidArgument:
        return InvalidArgument(
            f"{ellipsize(path, 200)!r} is {problem}.",
            f"Pass a directory that is or is in: {self._named}. The flag --root allows more.",
        )

    def new_file(self, path: str, suffix: str) -> Path:
        """Resolve the path of a file to write, by default in the first directory.

        An existing file may be replaced there only. Raises `InvalidArgument`.
        """
        place = next(iter(self.places(path)), None)
        if place is None:
            problem = "is outside the directories that may be written to"
        elif place.suffix.lower() != suffix:
            problem = f"does not end in {suffix}"
        elif mode(place) and not place.is_relative_to(self.directories[0]):
            problem = "exists already"
        else:
            return place
        raise InvalidArgument(
            f"Nothing was written: {ellipsize(path, 200)!r} {problem}.",
            f"Pass the name of a new file that ends in {suffix}, in one of: {self._named}.",
        )

    def free_file(self, name: str) -> Path:
        """Return an unused path in the first directory, numbered if the name is taken."""
        preferred = self.directories[0] / safe_name(name)
        return next(place for place in _numbered_paths(preferred) if not mode(place))

    def is_hidden(self, place: Path) -> bool:
        """Whether the path has a name with a leading dot below every root that contains it."""
        below = [place.relative_to(root) for root in self.directories if place.is_relative_to(root)]
        return all(any(part.startswith(".") for part in path.parts) for path in below)

    def inside(self, path: str) -> Path | None:
        """Resolve a path inside the roots, preferring existing files; None if it is outside.

        Raises `InvalidArgument` for a path that the file system refuses.
        """
        inside = self.places(path)
        return next((place for place in inside if mode(place)), next(iter(inside), None))

    def places(self, path: str) -> list[Path]:
        """Resolve a path in each directory; a path outside of the directories is left out."""
        if "\0" in path:
            return []
        places = list[Path]()
        for directory in self.directories:
            with suppress(OSError, RuntimeError, ValueError):  # circular links; impossible names
                place = (directory / path).resolve()
                if any(place.is_relative_to(root) for root in self.directories):
                    places.append(place)
        return places


def _find_problem(folder: Path) -> Iterator[str]:
    """Yield why a folder must not be read as a whole, if so."""
    places = [*itertools.islice(folder.rglob("*"), _MOST_FILES + 1)]
    if len(places) > _MOST_FILES:
        yield f"holds more than {_MOST_FILES:,} files and folders"
    for place in places:
        if place.is_symlink() or place.name.startswith("."):
            kind = "symbolic link" if place.is_symlink() else "hidden file"
            yield f"holds a {kind}, {ellipsize(str(place), _LONGEST_QUOTE)!r}"
            return


def mode(place: Path) -> int | None:
    """Return the type and permission bits of a file; None if the path does not exist.

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
    return InvalidArgument(
        f"{ellipsize(str(place), _LONGEST_QUOTE)} cannot be used: {error.strerror}.",
        "Pass the path of another file or directory.",
    )


def not_creatable(directory: Path) -> str | None:
    """Return why a directory cannot be created or written to, None if it can."""
    existing = directory
    for existing in (directory, *directory.parents):
        with suppress(OSError):  # a name that is too long, a directory that may not be entered
            if existing.exists():
                break
    if not existing.is_dir():
        return f"{existing} is not a directory"
    return None if os.access(existing, os.W_OK | os.X_OK) else f"{existing} is not writable"


def make_private(directory: Path) -> None:
    """Create a directory and its missing parents, accessible to their owner only."""
    if not directory.is_dir():
        if directory.parent != directory:
            make_private(directory.parent)
        directory.mkdir(mode=0o700, exist_ok=True)


def write(place: Path, data: bytes) -> None:
    """Write a file atomically, readable by its owner only.

    Raises `InvalidArgument` for a name that is too long, otherwise `StorageFailed`.
    """
    try:
        make_private(place.parent)
        with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as file:
            try:
                file.write(data)
                file.flush()
                Path(file.name).replace(place)
            except OSError:
                Path(file.name).unlink()
                raise
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise _unusable(place, error) from error
        raise StorageFailed(f"{place} could not be written: {error.strerror}.") from error


def safe_name(suggested: str) -> str:
    """Make a harmless file name of a suggested one: no path, not hidden, not too long."""
    name = "".join(
        "_" if character in '/\\:*?"<>|' or not character.isprintable() else character
        for character in suggested
    )
    stem, dot, suffix = name.strip(" ._").rpartition(".")
    if not stem:
        stem, dot, suffix = suffix, "", ""
    stem, suffix = _cut(stem, _LONGEST_STEM), _cut(suffix, _LONGEST_SUFFIX)
    return f"{stem}{dot}{suffix}" or "download"


def _numbered_paths(place: Path) -> Iterator[Path]:
    """Yield a path, then numbered variants of its name."""
    yield place
    for number in itertools.count(2):
        yield place.with_name(f"{place.stem}-{number}{place.suffix}")


def _cut(text: str, limit: int) -> str:
    """Cut a text to ``limit`` bytes of UTF-8, and an ellipsis."""
    data = text.encode(errors="replace")
    return data[:limit].decode(errors="ignore") + "…" * (len(data) > limit)


def keep_as(file: Path, suggested: str, directory: Path | None = None) -> Path:
    """Rename a file to an unused name, readable by its owner only.

    By default, it stays in its directory. Another ``directory`` must be on the same file system.
    """
    file.chmod(0o600)
    for path in _numbered_paths((directory or file.parent) / safe_name(suggested)):
        try:
            path.touch(mode=0o600, exist_ok=False)
        except FileExistsError:
            continue
        return file.replace(path)
    raise AssertionError("the numbers are infinite")
