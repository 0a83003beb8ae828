"""CDP Browser domain: what we use of it."""

from typing import ClassVar

import attrs

from charlotte.protocol.wire import Command, Event, Nothing


@attrs.frozen
class Version:
    """Which browser this is."""

    product: str
    protocol_version: str


@attrs.frozen(kw_only=True)
class GetVersion(Command[Version]):
    """Answered by the browser process: also our question whether it lives."""

    method = "Browser.getVersion"


@attrs.frozen(kw_only=True)
class GrantPermissions(Command[Nothing]):
    """Allow pages of a context what they would have to ask for."""

    method = "Browser.grantPermissions"
    permissions: list[str]
    browser_context_id: str | None = None


@attrs.frozen(kw_only=True)
class SetDownloadBehavior(Command[Nothing]):
    """Where a context's downloads go; ``allowAndName`` names the files by the downloads' ids."""

    method = "Browser.setDownloadBehavior"
    behavior: str
    browser_context_id: str | None = None
    download_path: str
    events_enabled: bool


@attrs.frozen
class DownloadWillBegin(Event):
    """A frame's request turned out to be a file to save."""

    method: ClassVar[str] = "Browser.downloadWillBegin"
    frame_id: str
    guid: str
    url: str
    suggested_filename: str


@attrs.frozen
class DownloadProgress(Event):
    """How far a download is; ``state`` is ``inProgress``, ``completed`` or ``canceled``."""

    method: ClassVar[str] = "Browser.downloadProgress"
    guid: str
    received_bytes: float
    state: str
