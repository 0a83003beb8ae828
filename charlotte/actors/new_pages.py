"""New pages of the browser: those that we asked for, and those that pages opened."""

from collections.abc import Callable

import trio

from charlotte.errors import SessionProblem
from charlotte.protocol import target
from charlotte.protocol.session import Session

_CREATE_WAIT = 10.0


class NewPages:
    """Hands each page that appears to who asked for it, or to ``adopt`` when nobody did."""

    def __init__(self, root: Session, adopt: Callable[[target.AttachedToTarget], None]) -> None:
        self._root = root
        self._adopt = adopt
        self._creating = 0
        self._unclaimed: dict[str, target.AttachedToTarget] = {}
        self._arrived = trio.Event()

    def arrive(self, attached: target.AttachedToTarget) -> None:
        """Take note of a page that waits to be told to run."""
        self._unclaimed[attached.target_info.target_id] = attached
        self._arrived.set()
        self._arrived = trio.Event()
        self._adopt_unclaimed()

    async def create(
        self, context: str | None, *, in_front: bool = False
    ) -> target.AttachedToTarget:
        """Have a blank page in a context; it waits to be told to run.

        It is ``in_front`` of the others for people's eyes only: to pages it makes no difference,
        and to the browser much work.
        """
        self._creating += 1
        try:
            # a caller that leaves must not leave a target behind that nobody knows
            with trio.move_on_after(_CREATE_WAIT, shield=True):
                return await self._created(
                    target.CreateTarget(
                        url="about:blank", browser_context_id=context, background=not in_front
                    )
                )
        finally:
            self._creating -= 1
            self._adopt_unclaimed()
        raise SessionProblem("The browser did not open a tab in time.", "Repeat the call.")

    async def _created(self, wanted: target.CreateTarget) -> target.AttachedToTarget:
        created = await self._root.call(wanted)
        while created.target_id not in self._unclaimed:
            await self._arrived.wait()
        return self._unclaimed.pop(created.target_id)

    def _adopt_unclaimed(self) -> None:
        """Once nobody is creating targets, those that nobody claimed were opened by pages."""
        if self._creating:
            return
        for attached in self._unclaimed.values():
            self._adopt(attached)
        self._unclaimed.clear()
