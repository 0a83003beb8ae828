"""The file types that a file input accepts."""

import mimetypes
from collections.abc import Sequence
from pathlib import Path

_MISSPELT = {"image/jpg": "image/jpeg"}


def not_asked_for(files: Sequence[Path], accept: str) -> list[Path]:
    """Return the files that a file chooser would not offer for ``accept``."""
    wanted = [part.strip().lower() for part in accept.split(",") if part.strip()]
    if not wanted:
        return []
    return [file for file in files if not any(_fits(file.name.lower(), one) for one in wanted)]


def _fits(name: str, wanted: str) -> bool:
    """Return whether a name matches an accepted type; unknown types match every name."""
    if wanted.startswith("."):
        return name.endswith(wanted)
    suffix = Path(name).suffix
    if wanted.endswith("/*"):
        kind, _ = mimetypes.guess_type(f"file{suffix}", strict=False)
        return wanted == "*/*" or (kind or "").startswith(wanted.removesuffix("*"))
    endings = mimetypes.guess_all_extensions(_MISSPELT.get(wanted, wanted), strict=False)
    return not endings or suffix in endings
