"""Directories that a session serves, and the changes of their files."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import attrs

from charlotte.base.urls import is_this_machine


@attrs.frozen
class Edit:
    """Files, relative to the directory of their site, that changed at a time (ISO 8601)."""

    files: tuple[str, ...]
    timestamp: str


@attrs.define(eq=False)
class SiteRecord:
    """A directory that a session serves; ``poll`` finds changes without file system events."""

    root: Path
    port: int = 0
    watch: bool = True
    poll: bool = False

    @property
    def url(self) -> str:
        """The URL of the site."""
        return f"http://127.0.0.1:{self.port}/"

    def shows(self, url: str) -> bool:
        """Return whether a URL is of this site, under any host name of this machine."""
        try:
            parts = urlsplit(url)
            address = parts.scheme, parts.port
        except ValueError:
            return False
        return address == ("http", self.port) and is_this_machine(parts.hostname or "")

    def as_json(self) -> dict[str, Any]:
        """Return the site as dev_serve reports it."""
        return {"url": self.url, "path": str(self.root), "watch": self.watch, "poll": self.poll}
