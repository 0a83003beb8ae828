"""Finds what a CSS selector means on a page, in all its frames."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from charlotte.actors.tab.frame_settle import has_frames, matches_in_frames, read_matches
from charlotte.errors import LONGEST, InvalidArgument
from charlotte.page.frames import Placement
from charlotte.page.identity.dom_book import DocumentNode, Match

if TYPE_CHECKING:
    from charlotte.actors.tab.actor import Tab

_MOST = 10_000
"""Nodes that one selector can find."""


async def matches_of(
    tab: Tab, selector: str, most: int = _MOST, text: str | None = None
) -> list[Match]:
    """What a CSS selector finds, frame by frame in document order; raises `InvalidArgument`.

    With a text, of each node its role and whether it says that, too.
    """
    if tab.last_view is None or has_frames(tab.page):
        await tab.view()
    await tab.page.present()
    context = await tab.page.world.current()
    secrets = tab.record.session.settings.secrets
    asked = tab.page.ask_in(context, "query", selector, most, text, secrets.reach)
    answer = json.loads(await asked)
    if "error" in answer:
        raise InvalidArgument(
            f"The page takes {selector[:LONGEST]!r} for no CSS selector: {answer['message']}",
            "To look for text, use find{text}.",
        )
    found = read_matches(selector, answer["rows"], DocumentNode(context, 0), Placement(), secrets)
    room = _MOST - len(found)
    return found + await matches_in_frames(
        tab.page, tab.frames, selector, room, text=text, secrets=secrets
    )
