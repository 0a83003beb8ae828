"""The tabs of the browser's owner, and which of them agents may work in.

The owner grants addresses for all tabs when Charlotte starts, or the site of one tab on the
dashboard. A grant ends with the server, or when the owner withdraws it.
"""

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import structlog

from charlotte.base.errors import LONGEST, SessionProblem, ellipsize
from charlotte.base.urls import UrlPattern, is_local_port, origin_of, read_pattern

log = structlog.get_logger(__name__)

_SHOWN = 150
"""Characters of the address and of the title of a tab that is not adopted."""


@attrs.define(eq=False)
class OwnerTab:
    """A tab of the owner: ``id`` is its name for agents, ``target_id`` that of CDP.

    ``clicked`` is the origin that was granted for this tab on the dashboard. ``adopted_as`` is the
    id of the tab of a session that works in it. ``is_debugged`` if, when it was adopted, another
    program was attached to it.
    """

    id: str
    target_id: str
    url: str
    title: str
    clicked: str | None = None
    adopted_as: str | None = None
    is_debugged: bool = False

    def row(self, hidden: Callable[[str], str]) -> dict[str, Any]:
        """Return the row of a tab that can be adopted; ``hidden`` redacts secrets."""
        url, title = ellipsize(hidden(self.url), _SHOWN), ellipsize(hidden(self.title), _SHOWN)
        return {"id": self.id, "url": url, "title": title, "active": False, "adoptable": True}


@attrs.define(eq=False)
class OwnerTabs:
    """All tabs of the owner by CDP target id, in the order of their discovery.

    ``closed_ports`` of this machine are those of the dashboard and of the browser's debugging.
    Pages there are never granted: an agent in them could reach any other tab.
    """

    patterns: Sequence[UrlPattern] = ()
    tabs: dict[str, OwnerTab] = attrs.field(factory=dict[str, OwnerTab])
    closed_ports: set[int] = attrs.field(factory=set[int])
    on_withdrawal: Callable[[OwnerTab], object] = attrs.field(default=lambda _: None)
    _last: int = 0

    def note(self, target_id: str, url: str, title: str) -> OwnerTab:
        """Record a tab, or its new address and title."""
        tab = self.tabs.get(target_id)
        if tab is None:
            self._last += 1
            tab = self.tabs[target_id] = OwnerTab(f"owner-{self._last}", target_id, url, title)
        tab.url, tab.title = url, title
        return tab

    def forget(self, target_id: str) -> None:
        """Remove a tab that was closed or discarded."""
        self.tabs.pop(target_id, None)

    def is_granted(self, url: str, target_id: str | None = None) -> bool:
        """Return whether agents may work at an address: in any tab, or in this tab."""
        if self.is_closed(url):
            return False
        return self._is_clicked(origin_of(url), target_id) or self.pattern_of(url) is not None

    def is_site_granted(self, origin: str, target_id: str) -> bool:
        """Return whether agents may read frames of an origin in a tab."""
        if self.is_closed(origin):
            return False
        return self._is_clicked(origin, target_id) or any(
            pattern.matches_site(origin) for pattern in self.patterns
        )

    def _is_clicked(self, origin: str | None, target_id: str | None) -> bool:
        """Return whether an origin was granted for a tab on the dashboard."""
        tab = self.tabs.get(target_id or "")
        return tab is not None and tab.clicked is not None and tab.clicked == origin

    def is_closed(self, url: str) -> bool:
        """Return whether a URL leads to a port that is never granted."""
        return any(is_local_port(url, port) for port in self.closed_ports)

    def pattern_of(self, url: str) -> UrlPattern | None:
        """Return the pattern of ``--adopt`` that a URL matches, if any."""
        return next((pattern for pattern in self.patterns if pattern.matches(url)), None)

    def refusal(self, url: str) -> str:
        """Return why agents may not work at an address, and where they may."""
        return (
            f"{ellipsize(url, LONGEST)} is not granted by the browser's owner; granted is "
            f"{self.describe_grants()}."
        )

    def describe_grants(self) -> str:
        """Return the granted addresses, and how the owner grants more."""
        patterns = ", ".join(map(str, self.patterns)) or "nothing"
        return f"{patterns} (--adopt PATTERN or a click on the dashboard)"

    def granted(self) -> list[OwnerTab]:
        """Return the tabs that agents may adopt or have adopted."""
        return [tab for tab in self.tabs.values() if self.is_granted(tab.url, tab.target_id)]

    def find(self, tab_id: str) -> OwnerTab:
        """Return the tab with this id; raises `SessionProblem` if it is not granted."""
        found = next((tab for tab in self.tabs.values() if tab.id == tab_id), None)
        if found is not None and found.adopted_as is not None:
            return found
        if found is None or not self.is_granted(found.url, found.target_id):
            raise SessionProblem(
                f"There is no granted tab {ellipsize(tab_id, 40)!r} of the browser's owner.",
                f"Call tabs for the tabs that may be adopted. Granted is {self.describe_grants()}.",
            )
        return found

    def change_grant(self, tab: OwnerTab, site: str | None) -> None:
        """Grant the site that a tab shows, in this tab alone, or withdraw the grant (None).

        An agent that works in the tab loses it then.
        """
        done = "the owner granted a tab" if site else "the owner withdrew a tab"
        log.warning(done, tab=tab.id, url=ellipsize(tab.url, LONGEST))
        was_granted, tab.clicked = tab.clicked is not None, site
        if was_granted and site is None:
            self.on_withdrawal(tab)


def owner_tabs(patterns: Sequence[str]) -> OwnerTabs:
    """Return the record of the owner's tabs with the patterns of ``--adopt``."""
    return OwnerTabs([found for text in patterns if (found := read_pattern(text))])
