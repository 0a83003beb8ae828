"""Questions to all frames of a page at once: what a selector finds, whether all stand still."""

import json
from collections.abc import Mapping
from itertools import islice
from typing import Any

import trio

from charlotte.actors.tab.frame_tree import MOST_FRAMES, FrameTree, SeenFrame, all_frames
from charlotte.actors.tab.page_connection import LivePage
from charlotte.browser.frame_worlds import FrameWorld
from charlotte.browser.isolated_world import answer_of, question
from charlotte.browser.remote_nodes import GONE
from charlotte.page.frames import Placement
from charlotte.page.model import Bounds
from charlotte.protocol.connection import Pending
from charlotte.protocol.runtime import Evaluated

_QUIET_WAIT = 1.5
"""Seconds that frames may take to stand still after the main frame does."""


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
        for frame, placement in islice(all_frames(tree), 1, None)
        if _in_view(frame, placement, tree)
    }


def _in_view(frame: SeenFrame, placement: Placement, tree: FrameTree) -> bool:
    """Whether part of the frame lies in the window: the browser draws no others."""
    if frame.capture is None or tree.main.capture is None:
        return False
    area = placement.of(Bounds(0, 0, *frame.capture.viewport))
    width, height = tree.main.capture.viewport
    return area.x < width and area.y < height and area.x + area.w > 0 and area.y + area.h > 0
