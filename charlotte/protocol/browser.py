"""CDP Browser domain: what we use of it."""

from typing import ClassVar

import attrs

from charlotte.protocol.wire import Command, Event, Nothing


@attrs.frozen
class Version:
    """Name and version of the browser."""

    product: str
    protocol_version: str


@attrs.frozen(kw_only=True)
class GetVersion(Command[Version]):
    """Ask for the version; the browser process answers, so this is also the heartbeat."""

    method = "Browser.getVersion"


@attrs.frozen(kw_only=True)
class GrantPermissions(Command[Nothing]):
    """Grant permissions to the pages of a context."""

    method = "Browser.grantPermissions"
    permissions: list[str]
    browser_context_id: str | None = None


@attrs.frozen(kw_only=True)
class SetDownloadBehavior(Command[Nothing]):
    """Set the download directory of a context; ``allowAndName`` names files by download id."""

    method = "Browser.setDownloadBehavior"
    behavior: str
    browser_context_id: str | None = None
    download_path: str
    events_enabled: bool


@attrs.frozen
class DownloadWillBegin(Event):
    """A download began."""

    method: ClassVar[str] = "Browser.downloadWillBegin"
    frame_id: str
    guid: str
    url: str
    suggested_filename: str


@attrs.frozen
class DownloadProgress(Event):
    """Progress of a download; ``state`` is ``inProgress``, ``completed`` or ``canceled``."""

    method: ClassVar[str] = "Browser.downloadProgress"
    guid: str
    received_bytes: float
    state: str
