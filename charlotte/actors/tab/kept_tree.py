"""The text of a page's accessibility tree, kept while nothing happens to the page (V-CACHE).

How it works: before the page is read, every frame is asked to answer as soon as its DOM changes.
The text holds as long as none has, so a second look costs the browser nothing.
"""

from collections.abc import Sequence
from typing import Any

import attrs
import trio

from charlotte.actors.tab.frame_tree import MOST_FRAMES
from charlotte.actors.tab.look import Look
from charlotte.actors.tab.page_connection import LivePage
from charlotte.browser.isolated_world import question
from charlotte.page.modes.lines import ModeOutput
from charlotte.page.modes.report import ModeReport
from charlotte.protocol.connection import Pending

KEPT = 5.0
"""Seconds."""


@attrs.frozen(eq=False)
class Stillness:
    """Whether nothing has happened to a page since it was asked to say so."""

    _page: LivePage
    _url: str
    _contexts: Sequence[str]
    _changes: Sequence[Pending[Any]]
    _until: float

    @property
    def lasts(self) -> bool:
        """No change of the DOM, no other document or frame, no other URL; and not for too long."""
        activity = self._page.activity
        return (
            trio.current_time() < self._until
            and activity.navigating_to is None
            and activity.url == self._url
            and _contexts(self._page) == self._contexts
            and not any(one.settled.is_set() for one in self._changes)
        )


@attrs.frozen(eq=False)
class KeptTree:
    """What was told of a page, and whether that is still true."""

    look: Look
    told: ModeOutput
    report: ModeReport
    stillness: Stillness


async def watch_stillness(page: LivePage) -> Stillness | None:
    """Have the frames of a page tell when they change; None when there are too many to ask."""
    worlds = page.frames.all()
    if len(worlds) > MOST_FRAMES:
        return None
    url, until = page.activity.url, trio.current_time() + KEPT
    contexts = _contexts(page)
    ms = round(KEPT * 1000)
    changes = [await one.begin(question(one.context, "changed", ms)) for one in worlds]
    return Stillness(page, url, contexts, changes, until)


def _contexts(page: LivePage) -> list[str]:
    return [one.context for one in page.frames.all()]
