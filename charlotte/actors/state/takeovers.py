"""Takeovers: tabs in which a person works on the dashboard, because an agent has asked for it."""

import math
from typing import Any, Literal

import attrs
import trio

from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.base.errors import CharlotteError, PersonHasTab, ellipsize
from charlotte.protocol.page import ScreencastFrame

Ending = Literal["done", "cannot", "timeout", "withdrawn"]
"""The person pressed a button, time is over, or the call has ended."""

_INPUTS = 64
_LONGEST_QUOTE = 200


@attrs.define(eq=False)
class Takeover:
    """A person's turn in a tab: ``what`` an agent asks for, for at most so many ``seconds``.

    ``inputs`` is the mailbox of the person, which the tab's actor serves during the turn.
    ``deadline`` is a time of trio's clock. ``watched`` is set once a viewer waits for pictures.
    ``frame`` is the last picture.
    """

    tab_id: str
    what: str
    seconds: float
    deadline: float = math.inf
    inputs: Mailbox[Any] = attrs.field(
        default=attrs.Factory(
            lambda self: Mailbox(f"{self.tab_id} person", capacity=_INPUTS), takes_self=True
        )
    )
    ending: Ending | None = None
    reason: str = ""
    ended: trio.Event = attrs.field(factory=trio.Event)
    watched: trio.Event = attrs.field(factory=trio.Event)
    frame: ScreencastFrame | None = None
    frames: int = 0
    _shown: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)

    def refusal(self) -> CharlotteError:
        """Return the error for calls on the tab."""
        return PersonHasTab(
            f"A person works in {self.tab_id}, because of ask_person "
            f"({ellipsize(self.what, _LONGEST_QUOTE)!r}). Nothing was done."
        )

    @property
    def has_begun(self) -> bool:
        """Whether calls that were made before the turn have ended."""
        return self.deadline < math.inf

    def begin(self) -> None:
        """Begin the turn."""
        self.deadline = trio.current_time() + self.seconds

    def end(self, ending: Ending, reason: str = "") -> None:
        """End the turn; only the first ending counts."""
        if self.ending is None:
            self.ending, self.reason = ending, reason
        self.ended.set()
        self._shown.unpark_all()

    def show(self, frame: ScreencastFrame) -> None:
        """Replace the picture."""
        self.frame, self.frames = frame, self.frames + 1
        self._shown.unpark_all()

    async def next_frame(self, after: int) -> ScreencastFrame | None:
        """Wait for a picture with a higher number than ``after``; None once the turn has ended."""
        self.watched.set()
        while self.frames <= after and not self.ended.is_set():
            await self._shown.park()
        return None if self.ended.is_set() else self.frame
