"""Questions to all frames of a page at once: what a selector finds, whether all stand still."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import trio

from charlotte.actors.tab.frame_queries import ask_frame
from charlotte.actors.tab.frame_tree import MOST_FRAMES, FrameTree, SeenFrame
from charlotte.actors.tab.page_connection import LivePage
from charlotte.browser.frame_worlds import FrameWorld
from charlotte.browser.isolated_world import answer_of, question
from charlotte.browser.remote_nodes import GONE
from charlotte.page.frames import Placement, compose_number, content_box
from charlotte.page.identity.dom_book import DocumentNode, Match
from charlotte.page.model import Bounds
from charlotte.page.modes.survey import get_effective_role
from charlotte.protocol.connection import Pending
from charlotte.protocol.runtime import Evaluated
from charlotte.redaction import NO_SECRETS, Secrets

_QUIET_WAIT = 1.5
"""Seconds that frames may take to stand still after the main frame does."""


def has_frames(page: LivePage) -> bool:
    """Whether there is a frame besides the main one, seen in the last look or not."""
    return any(one.frame_id != page.activity.main_frame for one in page.frames.all())


async def matches_in_frames(
    page: LivePage,
    tree: FrameTree,
    selector: str,
    limit: int,
    *,
    text: str | None = None,
    secrets: Secrets = NO_SECRETS,
) -> list[Match]:
    """What a selector finds in the child frames of the last look, frame by frame."""
    found: list[Match] = []
    for frame, placement in _placed(tree.main, Placement()):
        room = limit - len(found)
        answer = await ask_frame(page, frame, "query", selector, room, text, secrets.reach)
        place = DocumentNode(tree.main.world.context, compose_number(frame.number, 0))
        found += read_matches(selector, answer.get("rows", []), place, placement, secrets)
    return found


def read_matches(
    selector: str,
    rows: Iterable[list[Any]],
    document: DocumentNode,
    placement: Placement,
    secrets: Secrets = NO_SECRETS,
) -> list[Match]:
    """The rows of the probe's answer to a selector; ``document`` is any node of its document.

    With a text to look for, they have a role and whether it was found outside of secrets.
    """
    return [
        Match(
            place=document.with_nid(nid),
            selector=selector,
            tag=tag,
            text=text,
            bounds=placement.of(Bounds(*box)) if box else None,
            around=around,
            role=get_effective_role(tag, more[0]) if more else "",
            has_text=bool(more) and secrets.shows(more[1]),
        )
        for nid, tag, text, box, around, *more in rows
    ]


async def settle_frames(
    page: LivePage, tree: FrameTree, function: str, how: Mapping[str, Any]
) -> str:
    """The main frame's answer on whether it stands still, with those of the other frames.

    Frames that the browser does not draw are asked for their timers alone.
    """
    drawn, asked = _drawn(tree), set[FrameWorld]()

    async def ask_new() -> list[Pending[Evaluated]]:
        worlds = [world for world in _others(page, tree) if world not in asked]
        asked.update(worlds)
        return [
            await world.begin(question(world.context, function, {**how, **extra}))
            for world in worlds
            for extra in [{} if world.frame_id in drawn else _UNSEEN]
        ]

    begun = await ask_new()
    whole: dict[str, Any] = json.loads(await page.ask(function, how, takes=_SLICE))
    with trio.move_on_after(_QUIET_WAIT) as scope:
        while begun := begun or await ask_new():
            _join(whole, await _quiet(begun.pop()))
    if scope.cancelled_caught:
        _join(whole, _SILENT)
    return json.dumps(whole)


_UNSEEN = {"frames": 0, "arrival": False}
_SLICE = 1.0
"""Seconds after which the probe answers in any case, whether the page stands still or not."""

_LEFT = ("later", "animation", "every")
_STILL: dict[str, Any] = {"settled": True, "waited": []}
_SILENT: dict[str, Any] = {**_STILL, "settled": False, "why": "a frame does not answer"}


def _join(whole: dict[str, Any], part: dict[str, Any]) -> None:
    """Add what one frame says to what all say."""
    if not part["settled"] and whole["settled"]:
        whole["why"] = part.get("why", "a frame kept changing")
    whole["settled"] = whole["settled"] and part["settled"]
    whole["more"] = whole.get("more", False) or part.get("more", False)
    whole["waited"] = list(dict.fromkeys(whole["waited"] + part["waited"]))
    for name in ("said", "given", "restyled"):
        whole[name] = whole.get(name, []) + part.get(name, [])
    for name in _LEFT:
        whole[name] = min((ms for one in (whole, part) if (ms := one.get(name))), default=0)


async def _quiet(asked: Pending[Evaluated]) -> dict[str, Any]:
    """A frame's answer; one that is replaced or removed has no say."""
    try:
        answer: dict[str, Any] = json.loads(answer_of(await asked.result()))
    except GONE:
        return _STILL
    return answer


def _others(page: LivePage, tree: FrameTree) -> list[FrameWorld]:
    """The worlds of the child frames, of new ones too, but for those known not to answer."""
    silent = {frame.world.frame_id for frame in tree.shown() if frame.silent}
    main = page.activity.main_frame
    worlds = [
        world
        for world in page.frames.all()
        if world.frame_id not in silent and world.frame_id != main
    ]
    return worlds[:MOST_FRAMES]


def _drawn(tree: FrameTree) -> set[str]:
    """The ids of the frames that lie in the window, as last captured."""
    return {
        frame.world.frame_id
        for frame, placement in _placed(tree.main, Placement())
        if _in_view(frame, placement, tree)
    }


def all_frames(tree: FrameTree) -> Iterator[tuple[SeenFrame, Placement]]:
    """The frames of the last look in document order, each with its place in the main frame."""
    yield tree.main, Placement()
    yield from _placed(tree.main, Placement())


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
