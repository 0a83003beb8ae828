"""CDP Browser domain: what we use of it."""

import attrs

from charlotte.protocol.wire import Command


@attrs.frozen
class Version:
    """Which browser this is."""

    product: str
    protocol_version: str


@attrs.frozen(kw_only=True)
class GetVersion(Command[Version]):
    """Answered by the browser process: also our question whether it lives."""

    method = "Browser.getVersion"
