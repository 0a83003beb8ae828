"""The record of the browser's own profile, in which several sessions can work."""

from collections.abc import Iterable
from pathlib import Path

import attrs

from charlotte.actors.state.context_record import ContextRecord
from charlotte.actors.state.records import TabRecord

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

    def note_sharing(self, tabs: Iterable[TabRecord]) -> None:
        """Notify each session once, in its active tab, if the tabs here are of several sessions."""
        sessions = {tab.session.id: tab.session for tab in tabs}
        if len(sessions) == 1:
            return
        for session in sessions.values():
            if session.id not in self.notified and session.active:
                self.notified.add(session.id)
                session.tabs[session.active].notify([SHARED])
