"""CDP Inspector domain: what we use of it."""

from typing import ClassVar

import attrs

from charlotte.protocol.wire import Command, Event, Nothing


@attrs.frozen(kw_only=True)
class Enable(Command[Nothing]):
    """Report the renderer's death."""

    method = "Inspector.enable"


@attrs.frozen
class TargetCrashed(Event):
    """The renderer died."""

    method: ClassVar[str] = "Inspector.targetCrashed"


@attrs.frozen
class TargetReloadedAfterCrash(Event):
    """A service worker that was stopped runs again; its session stayed."""

    method: ClassVar[str] = "Inspector.targetReloadedAfterCrash"
