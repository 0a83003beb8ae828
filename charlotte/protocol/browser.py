"""CDP Browser domain: what we use of it."""

import attrs

from charlotte.protocol.wire import Command, Nothing


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
