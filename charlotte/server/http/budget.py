"""Admission of sessions, and the budgets of each subject: sessions and tabs.

A subject is the user of an OAuth token. All clients with the shared token are one subject, and so
are all clients of a server without authentication.
"""

from collections import Counter
from collections.abc import Callable
from typing import Literal

import attrs
import structlog
import trio

from charlotte.api.session import START_WAIT
from charlotte.base.errors import BudgetExceeded, SessionProblem
from charlotte.server.http.access import Caller

MAX_WAIT = 30.0
"""Seconds that a call waits for a free place."""
_MOST_RETRY = 60
"""Seconds after which clients may try again at the latest: sessions can end before they expire."""

Subject = tuple[str | None, ...]
"""Issuer and subject of a token, whichever client uses it; else the caller."""

Refusal = Literal["full", "sessions"]

log = structlog.get_logger(__name__)


def get_subject(caller: Caller) -> Subject:
    """Return the subject of a caller; a user with several clients is one subject."""
    return caller[1:] if caller and caller[-1] is not None else caller


@attrs.define(eq=False)
class SessionPlace:
    """The place of a session, from the wait for it until the session is closed.

    ``is_closing`` is set at the end of the session.
    """

    subject: Subject
    is_closing: bool = False


@attrs.define(eq=False)
class Admission:
    """Places for sessions, given in the order of the calls, and counts of refusals.

    ``subject_sessions`` and ``subject_tabs`` are the budgets of each subject; 0 is no limit.
    ``find_outage`` returns the reason why there is no place at all, if it is not that of a full
    server.
    """

    limit: int
    queue: int
    subject_sessions: int = 0
    subject_tabs: int = 0
    find_outage: Callable[[], SessionProblem | None] = lambda: None
    refusals: Counter[Refusal] = attrs.field(factory=Counter[Refusal])
    _sessions: trio.CapacityLimiter = attrs.field(init=False)
    _places: set[SessionPlace] = attrs.field(factory=set[SessionPlace])

    def __attrs_post_init__(self) -> None:
        self._sessions = trio.CapacityLimiter(self.limit)

    @property
    def is_full(self) -> bool:
        """Whether every place is taken."""
        return self._sessions.available_tokens <= 0

    @property
    def waiting(self) -> int:
        """The number of calls that wait for a place."""
        return self._sessions.statistics().tasks_waiting

    def count_sessions(self, subject: Subject) -> int:
        """Return the sessions of a subject that are open, are opening, or wait for a place."""
        return sum(place.subject == subject and not place.is_closing for place in self._places)

    def has_used_up(self, subject: Subject) -> bool:
        """Return whether the budget allows the subject no further session."""
        return 0 < self.subject_sessions <= self.count_sessions(subject)

    async def enter(
        self, subject: Subject, retry_after: float, *, leaving: bool = False
    ) -> SessionPlace:
        """Take a place; give it back with `leave`.

        ``retry_after`` is the time in seconds until a place is certainly free. With ``leaving``, a
        session is ending to make room, so the call waits whatever the length of the queue.

        Raises:
            BudgetExceeded: the subject has as many sessions as it may have.
            SessionProblem: the queue is full, or no place was free in time, or no browser is live.
        """
        seconds = min(max(1, round(retry_after)), _MOST_RETRY)
        if self.has_used_up(subject) and not leaving:
            limit, used = self.subject_sessions, self.count_sessions(subject)
            self.refusals["sessions"] += 1
            log.warning("session refused", reason="budget", sessions=used)
            raise BudgetExceeded(
                f"The budget of {limit} sessions is used up: {used} are open or about to open.",
                "Continue in an open session, or close one that is no longer needed. "
                f"Or retry in {seconds} s, when an idle session may have ended.",
                {"budget": "sessions", "limit": limit, "used": used, "retry_after_s": seconds},
            )
        patience = START_WAIT if self.find_outage() else MAX_WAIT
        if not self.is_full or leaving or self.waiting < self.queue:
            place = SessionPlace(subject)
            self._places.add(place)
            try:
                with trio.move_on_after(patience):
                    await self._sessions.acquire_on_behalf_of(place)
                    return place
            except BaseException:
                self._places.remove(place)
                raise
            self._places.remove(place)
        self.refusals["full"] += 1
        log.warning("session refused", sessions=self.limit, waiting=self.waiting)
        if outage := self.find_outage():
            raise outage
        state = f"{self.limit} sessions are open" if self.limit else "it has no place for a session"
        raise SessionProblem(
            f"Charlotte is full: {state} and {self.waiting} more wait.",
            f"Retry in {seconds} s. Close sessions that are no longer needed.",
            {"retry_after_s": seconds},
        )

    def resize(self, limit: int) -> None:
        """Change the number of places; sessions beyond it keep theirs until they end."""
        self.limit = limit
        self._sessions.total_tokens = limit

    def leave(self, place: SessionPlace) -> None:
        """Give a place back."""
        self._places.remove(place)
        self._sessions.release_on_behalf_of(place)
