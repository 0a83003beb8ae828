"""Owns which files agents may have read and written: those in the roots (surface section 7)."""

from collections.abc import Sequence
from pathlib import Path

import attrs

from charlotte.errors import InvalidArgument


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

    def _inside(self, path: str) -> Path | None:
        """Where a path leads, if that is in a root: what else there is, nobody is told."""
        if "\0" in path:
            return None
        places = [self._resolved(root / path) for root in self.directories]
        inside = [place for place in places if place and self._holds(place)]
        return next((place for place in inside if place.exists()), next(iter(inside), None))

    def _resolved(self, path: Path) -> Path | None:
        try:
            return path.resolve()
        except (OSError, RuntimeError):  # a name that is too long; links that go in a circle
            return None

    def _holds(self, place: Path) -> bool:
        return any(place.is_relative_to(root) for root in self.directories)

    def _problem(self, path: str, file: Path | None) -> str:
        if file is None:
            return f"{path!r} is outside of the roots"
        if not file.exists():
            return f"{path!r} does not exist"
        return "" if file.is_file() else f"{path!r} is no file"
