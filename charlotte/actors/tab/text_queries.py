"""Finds where a text stands on a page, for what is no element that could be found by its label."""

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.frame_queries import ask_frame
from charlotte.actors.tab.frame_settle import all_frames, read_matches
from charlotte.page.frames import Placement, compose_number, split_number
from charlotte.page.identity.dom_book import DocumentNode, Match
from charlotte.page.model import Element

_MOST = 200


async def wordings(tab: Tab, text: str, known: Iterable[Element]) -> list[Match]:
    """The innermost elements that say a text in the page as last captured, but for ``known`` ones.

    At most `_MOST`, frame by frame in document order.
    """
    numbers = [number for one in known if (number := tab.record.ids.resolve(one.id)) is not None]
    found: list[Match] = []
    secrets = tab.record.session.settings.secrets
    for frame, placement in all_frames(tab.frames):
        listed = [nid for owner, nid in map(split_number, numbers) if owner == frame.number]
        room = _MOST - len(found)
        answer = await ask_frame(tab.page, frame, "wording", text, room, listed, secrets.reach)
        document = DocumentNode(tab.frames.main.world.context, compose_number(frame.number, 0))
        rows = [row for *row, occurrences in answer.get("rows", []) if secrets.shows(occurrences)]
        found += _read(rows, document, placement)
    return found


def _read(
    rows: Iterable[list[Any]], document: DocumentNode, placement: Placement
) -> Iterator[Match]:
    """A node that is replaced is found again by its tag and the start of its text."""
    for *row, excerpt, heading, landmark in rows:
        [match] = read_matches(row[1], [row], document, placement)
        yield attrs.evolve(match, excerpt=excerpt, heading=heading, landmark=landmark)
