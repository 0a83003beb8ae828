"""CDP Inspector domain: what we use of it."""

from typing import ClassVar

import attrs

from charlotte.protocol.wire import Command, Event, Nothing


@attrs.frozen(kw_only=True)
class Enable(Command[Nothing]):
    """Report crashes of the renderer."""

    method = "Inspector.enable"


@attrs.frozen
class TargetCrashed(Event):
    """The renderer process ended."""

    method: ClassVar[str] = "Inspector.targetCrashed"


@attrs.frozen
class TargetReloadedAfterCrash(Event):
    """A stopped service worker runs again in the same session."""

    method: ClassVar[str] = "Inspector.targetReloadedAfterCrash"
