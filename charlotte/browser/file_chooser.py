"""Which files a file input asks for: its ``accept``, a list of endings and of types."""

import mimetypes
from collections.abc import Sequence
from pathlib import Path

_MISSPELT = {"image/jpg": "image/jpeg"}


def not_asked_for(files: Sequence[Path], accept: str) -> list[Path]:
    """The files that a file chooser would not offer for this ``accept``."""
    wanted = [part.strip().lower() for part in accept.split(",") if part.strip()]
    if not wanted:
        return []
    return [file for file in files if not any(_fits(file.name.lower(), one) for one in wanted)]


def _fits(name: str, wanted: str) -> bool:
    """Whether the name is of that kind; of a kind that is not known, every name may be."""
    if wanted.startswith("."):
        return name.endswith(wanted)
    suffix = Path(name).suffix
    if wanted.endswith("/*"):
        kind, _ = mimetypes.guess_type(f"file{suffix}", strict=False)
        return wanted == "*/*" or (kind or "").startswith(wanted.removesuffix("*"))
    endings = mimetypes.guess_all_extensions(_MISSPELT.get(wanted, wanted), strict=False)
    return not endings or suffix in endings
