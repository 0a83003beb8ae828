"""Owns the places: how many sessions there may be, and who waits for one."""

import attrs
import structlog
import trio

from charlotte.errors import SessionProblem

LONGEST_WAIT = 30.0
"""Seconds that a call waits for a place."""

log = structlog.get_logger(__name__)


@attrs.define(eq=False)
class Admission:
    """As many places as ``limit``; of those who come later, ``queue`` may wait, in line."""

    limit: int
    queue: int
    _free: trio.Semaphore = attrs.field(
        default=attrs.Factory(lambda self: trio.Semaphore(self.limit), takes_self=True)
    )

    @property
    def is_full(self) -> bool:
        """Whether a newcomer has to wait."""
        return self._free.value == 0

    async def enter(self, retry_after: float, *, leaving: bool = False) -> None:
        """Take a place, which has to be given back.

        Raises `SessionProblem` if there is none in time; ``retry_after`` is when there may be one.
        With ``leaving``, a session is ending to make room: the newcomer waits however long the
        queue is.
        """
        if self.is_full and self.waiting >= self.queue and not leaving:
            raise self._full(retry_after)
        with trio.move_on_after(LONGEST_WAIT):
            await self._free.acquire()
            return
        raise self._full(retry_after)

    def leave(self) -> None:
        """Give a place back."""
        self._free.release()

    @property
    def waiting(self) -> int:
        """How many wait now."""
        return self._free.statistics().tasks_waiting

    def _full(self, retry_after: float) -> SessionProblem:
        log.warning("session refused", sessions=self.limit, waiting=self.waiting)
        seconds = max(1, round(retry_after))
        return SessionProblem(
            f"Charlotte is full: {self.limit} sessions are open and {self.waiting} more wait.",
            f"Try again in {seconds} s. Sessions that are not needed any more should be closed.",
            {"retry_after_s": seconds},
        )
