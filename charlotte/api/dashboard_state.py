"""The state that the dashboard shows to people, without delaying pages or calls."""

import base64
from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import Any

import attrs
import trio

from charlotte.actors.kernel.mailbox import Event, EventStream
from charlotte.actors.state.events import GrantChanged
from charlotte.actors.state.owner_tabs import OwnerTab, OwnerTabs
from charlotte.actors.state.questions import Question
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.registry import Registry
from charlotte.actors.state.takeovers import Takeover
from charlotte.api.call_watch import RunningCall
from charlotte.api.session import Metrics
from charlotte.base import log
from charlotte.base.errors import LONGEST, ellipsize
from charlotte.base.urls import origin_of
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.page import CaptureScreenshot

_FRESH = 1.5
"""Seconds for which a screenshot of a tab is reused."""

_PREVIEW = CaptureScreenshot(format="jpeg", quality=40)
"""The frame that was drawn last, as a small image."""
_PATIENCE = 1.5


@attrs.define(eq=False)
class DashboardState:
    """The records as JSON, and screenshots, the only part that needs the browser.

    The server applies ``hidden``, which removes secrets from JSON, to all of it.
    """

    _registry: Registry
    _status: Callable[[], dict[str, Any]]
    _metrics: Metrics
    hidden: Callable[[Any], Any]
    _pictures: dict[str, tuple[float, bytes]] = attrs.field(factory=dict[str, tuple[float, bytes]])
    """The last JPEG of each tab, with trio's time."""

    def state(self) -> dict[str, Any]:
        """Return the server's status (see `actors.introspection`), running and recent calls.

        ``owner`` lists the tabs of the browser's owner; it is None in a browser without one.
        ``people`` lists the tabs that agents ask a person to work in, ``questions`` the open
        questions of the policy.
        """
        owner = self._registry.owner
        return {
            "at": log.now(),
            **self._status(),
            **_call_rows(self._metrics),
            "owner": owner and [self._owner_row(owner, tab) for tab in self._owner_tabs()],
            "people": [
                {
                    "tab": tab.id,
                    "session": tab.session.id,
                    "what": turn.what,
                    "left": round(min(turn.deadline - trio.current_time(), turn.seconds)),
                    "begun": turn.has_begun,
                    "dialog": tab.dialog and tab.dialog.as_json(),
                }
                for tab in self._registry.tabs()
                if (turn := tab.takeover) is not None
            ],
            "questions": [
                {
                    "id": question.id,
                    "tab": question.tab_id,
                    "page": question.page,
                    "rule": question.rule,
                    "held": question.held,
                    "left": round(question.deadline - trio.current_time(), 1),
                }
                for question in self._questions()
            ],
        }

    def events(self) -> EventStream[Event]:
        """Return the events that happen from now on."""
        return self._registry.feed.subscribe()

    async def picture(self, tab_id: str) -> bytes | None:
        """Return a JPEG of a tab, an older one while the tab is not visible, or None.

        The browser copies the last frame, so that a hung page does not delay it. In a tab of the
        owner it would wait for the next frame, so there are no images of these.
        """
        now = trio.current_time()
        taken, picture = self._pictures.get(tab_id, (-inf, None))
        if now - taken > _FRESH:
            record, open_tabs = self._tab(tab_id), {tab.id for tab in self._registry.tabs()}
            for closed in self._pictures.keys() - open_tabs:
                del self._pictures[closed]
            is_blocked = record and (record.crashed or record.hung or record.dialog is not None)
            if record and record.control and not (is_blocked or record.context.is_owner_profile):
                with trio.move_on_after(_PATIENCE), suppress(ProtocolError):
                    preview = await record.control.call(_PREVIEW)
                    picture = base64.b64decode(preview)
                    self._pictures[tab_id] = now, picture
        return picture

    def set_port(self, port: int) -> None:
        """Set the port at which people see the dashboard, which agents must not use."""
        if self._registry.owner is not None:
            self._registry.owner.closed_ports.add(port)

    def takeover(self, tab_id: str) -> Takeover | None:
        """Return the turn of a person in a tab, if it has begun."""
        record = self._tab(tab_id)
        takeover = record.takeover if record is not None else None
        return takeover if takeover is not None and takeover.has_begun else None

    def answer_question(self, question_id: str, /, *, allow: bool) -> bool:
        """Record the answer of a person; return whether the question was open."""
        found = (question for question in self._questions() if question.id == question_id)
        question = next(found, None)
        return question is not None and question.decide(allow=allow)

    def _questions(self) -> list[Question]:
        """Return the open questions of all sessions."""
        sessions = self._registry.sessions.values()
        return [question for each in sessions for question in each.questions.open.values()]

    def change_grant(self, tab_id: str, site: str | None) -> bool:
        """Grant agents a site in a tab of the owner, or withdraw the grant (None).

        Return whether that was possible: the tab must be open and show the site.
        """
        owner = self._registry.owner
        tab = next((tab for tab in self._owner_tabs() if tab.id == tab_id), None)
        if owner is None or tab is None or site not in {None, origin_of(tab.url)}:
            return False
        owner.change_grant(tab, site)
        self._registry.feed.publish(GrantChanged(tab_id=tab_id, site=site))
        return True

    def _owner_tabs(self) -> list[OwnerTab]:
        """Return the tabs of the owner without those of the dashboard."""
        owner = self._registry.owner or OwnerTabs()
        return [tab for tab in owner.tabs.values() if not owner.is_closed(tab.url)]

    def _owner_row(self, owner: OwnerTabs, tab: OwnerTab) -> dict[str, Any]:
        """Return a tab of the owner, and why and for which agent it is granted.

        ``site`` is what a grant would be for; ``clicked`` what a click has granted.
        """
        pattern, working = owner.pattern_of(tab.url), self._tab(tab.adopted_as or "")
        return {
            "id": tab.id,
            "url": ellipsize(self.hidden(tab.url), LONGEST),
            "title": ellipsize(self.hidden(tab.title), LONGEST),
            "site": origin_of(tab.url),
            "granted": owner.is_granted(tab.url, tab.target_id),
            "pattern": pattern and str(pattern),
            "clicked": tab.clicked,
            "adopted_as": tab.adopted_as,
            "session": working and working.session.id,
        }

    def _tab(self, tab_id: str) -> TabRecord | None:
        return next((tab for tab in self._registry.tabs() if tab.id == tab_id), None)


def _call_rows(metrics: Metrics) -> dict[str, Any]:
    """Return the running and the recent calls."""
    now = trio.current_time()
    running = sorted(metrics.running, key=lambda call: call.since)
    return {
        "running": [{**_call_row(call), "for": round(now - call.since, 3)} for call in running],
        "recent": [
            {
                **_call_row(call),
                "outcome": call.outcome,
                "seconds": round(call.ended - call.since, 4),
                "ago": round(now - call.ended, 1),
            }
            for call in metrics.recent
        ],
    }


def _call_row(call: RunningCall) -> dict[str, Any]:
    return {"session": call.session, "tool": call.tool, "tab": call.tab_id}
