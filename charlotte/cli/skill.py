"""``charlotte skill``, and the skill in the directories of coding agents.

A record beside an installed skill has the hash of its text, the directories that were created for
it and the text that it replaced, so that it can be removed without a trace.
"""

import hashlib
import json
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

import attrs

from charlotte.cli.invocation import ANSWERED, Invocation
from charlotte.errors import InvalidArgument, StorageFailed

FILE, RECORD = "SKILL.md", ".charlotte.json"


def read_skill() -> str:
    """Return the skill: Markdown with its name and description in front."""
    return files("charlotte.cli").joinpath(FILE).read_text(encoding="utf-8")


async def run(invocation: Invocation) -> int:
    """Print the skill."""
    invocation.write(read_skill().rstrip("\n"))
    return ANSWERED


@attrs.frozen
class InstalledSkill:
    """The skill in a directory of its own, which exists only while it is installed."""

    directory: Path

    @property
    def path(self) -> Path:
        """The file of the skill."""
        return self.directory / FILE

    def insert(self, *, force: bool) -> str:
        """Write the skill; return a sentence. Raises `InvalidArgument` and `StorageFailed`."""
        text, present = read_skill(), self._read()
        if present == text:
            return f"{self.path} already is this skill."
        record = self._record()
        if present is not None and not force and record.get("hash") != _hash(present):
            raise InvalidArgument(
                f"{self.path} is another file; nothing was written.",
                "Pass --force to replace it.",
            )
        try:
            if record.get("hash") != _hash(present or ""):
                record = {"replaced": present, "created": self._create()}
            self.path.write_text(text, encoding="utf-8")
            written = json.dumps(record | {"hash": _hash(text)})
            (self.directory / RECORD).write_text(written, encoding="utf-8")
        except OSError as error:
            raise StorageFailed(f"{self.path} cannot be written: {error.strerror}.") from error
        return f"Written to {self.path}."

    def remove(self) -> str:
        """Remove the skill and its directories, or restore what it replaced; return a sentence.

        Raises `InvalidArgument` if the skill was changed after it was written.
        """
        present, record = self._read(), self._record()
        if present is None:
            return f"{self.path} does not exist."
        if record.get("hash") != _hash(present):
            raise InvalidArgument(
                f"{self.path} was changed, or is not from this command; nothing was removed.",
                "Remove it yourself.",
            )
        (self.directory / RECORD).unlink()
        if (replaced := record.get("replaced")) is not None:
            self.path.write_text(replaced, encoding="utf-8")
            return f"Restored {self.path}."
        self.path.unlink()
        with suppress(OSError):  # the user has put files there
            for directory in reversed(record.get("created", [])):
                Path(directory).rmdir()
        return f"Removed {self.path}."

    def _create(self) -> list[str]:
        """Create the directory; return those that did not exist, the outermost first."""
        missing = [each for each in (self.directory, *self.directory.parents) if not each.exists()]
        self.directory.mkdir(parents=True, exist_ok=True)
        return [str(each) for each in reversed(missing)]

    def _read(self) -> str | None:
        try:
            return self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidArgument(f"{self.path} cannot be read: {error}.") from None

    def _record(self) -> dict[str, Any]:
        try:
            record: Any = json.loads((self.directory / RECORD).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return cast("dict[str, Any]", record) if isinstance(record, dict) else {}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
