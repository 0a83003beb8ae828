"""Questions to all frames of a page at once: what a selector finds, whether all stand still."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import trio

from charlotte.actors.frame_points import ask_frame
from charlotte.actors.frame_tree import FrameTree, SeenFrame
from charlotte.actors.live import LivePage
from charlotte.browser.nodes import GONE
from charlotte.browser.world import answer_of, question
from charlotte.page.dom_book import Match, Place
from charlotte.page.frames import Placement, composed, content_box
from charlotte.page.model import Bounds
from charlotte.protocol.connection import Pending
from charlotte.protocol.runtime import Evaluated

_QUIET_WAIT = 0.5
"""Seconds that frames may take to stand still after the main frame does."""


async def matches_in_frames(
    page: LivePage, tree: FrameTree, selector: str, limit: int
) -> list[Match]:
    """What a selector finds in the child frames of the last look, frame by frame."""
    found: list[Match] = []
    for frame, placement in _placed(tree.main, Placement()):
        answer = await ask_frame(page, frame, "query", selector, limit - len(found))
        place = Place(tree.main.world.context, composed(frame.number, 0))
        found += read_matches(selector, answer.get("rows", []), place, placement)
    return found


def read_matches(
    selector: str, rows: Iterable[list[Any]], document: Place, placement: Placement
) -> list[Match]:
    """The rows of the probe's answer to a selector; ``document`` is any node of its document."""
    return [
        Match(
            place=document.beside(nid),
            selector=selector,
            tag=tag,
            text=text,
            bounds=placement.of(Bounds(*box)) if box else None,
        )
        for nid, tag, text, box in rows
    ]


async def settle_frames(page: LivePage, tree: FrameTree, function: str, *arguments: object) -> str:
    """The main frame's answer on whether it stands still, with those of the frames in view."""
    asked = [
        await frame.world.begin(question(frame.world.context, function, *arguments))
        for frame, placement in _placed(tree.main, Placement())
        if _in_view(frame, placement, tree)
    ]
    answer = await page.ask(function, *arguments)
    if not asked:
        return answer
    whole: dict[str, Any] = json.loads(answer)
    with trio.move_on_after(_QUIET_WAIT):
        for one in asked:
            part = await _quiet(one)
            whole["settled"] = whole["settled"] and part["settled"]
            whole["waited"] = list(dict.fromkeys(whole["waited"] + part["waited"]))
    return json.dumps(whole)


async def _quiet(asked: Pending[Evaluated]) -> dict[str, Any]:
    """A frame's answer; one that is replaced or removed has no say."""
    try:
        answer: dict[str, Any] = json.loads(answer_of(await asked.result()))
    except GONE:
        return {"settled": True, "waited": []}
    return answer


def _placed(parent: SeenFrame, around: Placement) -> Iterator[tuple[SeenFrame, Placement]]:
    """The frames in a parent that were captured, each with its place in the main frame."""
    for row in parent.rows:
        child = parent.children.get(row.nid)
        if child is not None and child.capture is not None:
            placement = around.inside(content_box(row), child.capture.viewport)
            yield child, placement
            yield from _placed(child, placement)


def _in_view(frame: SeenFrame, placement: Placement, tree: FrameTree) -> bool:
    """Whether part of the frame lies in the window: the browser draws no others."""
    if frame.capture is None or tree.main.capture is None:
        return False
    area = placement.of(Bounds(0, 0, *frame.capture.viewport))
    width, height = tree.main.capture.viewport
    return area.x < width and area.y < height and area.x + area.w > 0 and area.y + area.h > 0
