"""The text of a page's accessibility tree, kept while the page does not change (V-CACHE).

Before the page is read, every frame is asked to answer as soon as its DOM changes. The text is
valid until a frame answers, so reading it again costs the browser nothing.
"""

from collections.abc import Sequence
from typing import Any

import attrs
import trio

from charlotte.actors.tab.frames import MOST_FRAMES
from charlotte.actors.tab.look import Look
from charlotte.actors.tab.page_connection import LivePage
from charlotte.browser.isolated_world import question
from charlotte.page.modes.lines import ModeOutput, ModeReport
from charlotte.protocol.connection import Pending

KEPT = 5.0
"""Seconds."""


@attrs.frozen(eq=False)
class Stillness:
    """Whether a page is unchanged since its frames were asked to report changes."""

    _page: LivePage
    _url: str
    _contexts: Sequence[str]
    _changes: Sequence[Pending[Any]]
    _until: float

    @property
    def lasts(self) -> bool:
        """True for some seconds while DOM, documents, frames and URL are unchanged."""
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
    """The output of the mode tree, and whether it is still valid."""

    look: Look
    output: ModeOutput
    report: ModeReport
    stillness: Stillness


async def watch_stillness(page: LivePage) -> Stillness | None:
    """Ask the frames of a page to report changes; return None if there are too many frames."""
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
