"""Directories that are served as sites, and what becomes of their files. Only data."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import attrs

from charlotte.dev.port import is_here


@attrs.frozen
class Edit:
    """Files of a served site, relative to its directory, that changed at a time (ISO 8601)."""

    files: tuple[str, ...]
    timestamp: str


@attrs.define(eq=False)
class SiteRecord:
    """A directory that a session has served; ``poll`` to look for changes instead of being told."""

    root: Path
    port: int = 0
    watch: bool = True
    poll: bool = False

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}/"

    def shows(self, url: str) -> bool:
        """Whether an address is of this site, under any name of this machine."""
        try:
            parts = urlsplit(url)
            address = parts.scheme, parts.port
        except ValueError:
            return False
        return address == ("http", self.port) and is_here(parts.hostname or "")

    def as_json(self) -> dict[str, Any]:
        """As dev_serve tells it."""
        return {"url": self.url, "path": str(self.root), "watch": self.watch, "poll": self.poll}
