"""The record of the browser's own profile, in which several sessions can work."""

from collections.abc import Iterable
from pathlib import Path

import attrs
import trio

from charlotte.actors.state.context_record import ContextRecord
from charlotte.actors.state.records import TabRecord

_REQUEST_WAIT = 0.5
"""Seconds by which a page without an opener may precede the event that names its tab."""

_REQUEST_VALID = 5.0

SHARED = (
    "Other sessions work in this browser profile too: logins, cookies and storage are the same. "
    "Signing out, clear_cookies and changes of storage affect all of them. tab_open with a context "
    "opens a tab with its own."
)
"""The notice for sessions that share the browser's profile."""


@attrs.define(eq=False)
class ProfileRecord(ContextRecord):
    """The browser's own profile, the default context of all sessions if it is configured.

    The browser writes all downloads of the profile to ``downloads``; complete files are moved to
    their session. ``notified`` are the ids of the sessions that know that they share the profile.
    """

    downloads: Path = attrs.field(kw_only=True)
    notified: set[str] = attrs.field(factory=set[str])
    _requests: list[tuple[TabRecord, float]] = attrs.field(factory=list[tuple[TabRecord, float]])
    _requested: trio.Event = attrs.field(factory=trio.Event)

    def note_page_request(self, tab: TabRecord) -> None:
        """Record that a tab requests a page that has no opener, as a click with ctrl does."""
        self._requests.append((tab, trio.current_time()))
        self._requested.set()

    async def requester(self) -> TabRecord | None:
        """Return the tab that requested a page without an opener; None if a person opened it."""
        oldest = trio.current_time() - _REQUEST_VALID
        self._requests = [each for each in self._requests if each[1] > oldest]
        with trio.move_on_after(_REQUEST_WAIT):
            while not self._requests:
                self._requested = trio.Event()
                await self._requested.wait()
        return self._requests.pop(0)[0] if self._requests else None

    def note_sharing(self, tabs: Iterable[TabRecord]) -> None:
        """Notify each session once, in its active tab, if the tabs here are of several sessions."""
        sessions = {tab.session.id: tab.session for tab in tabs}
        if len(sessions) == 1:
            return
        for session in sessions.values():
            if session.id not in self.notified and session.active:
                self.notified.add(session.id)
                session.tabs[session.active].notify([SHARED])
