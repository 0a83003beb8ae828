"""Questions to the probes of frames: about a node in any frame, and about all frames at once."""

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Literal, cast

import trio

from charlotte.actors.tab.frame_tree import MOST_FRAMES, FrameTree, SeenFrame, all_frames
from charlotte.actors.tab.page_connection import HANG_AFTER, READING_TAKES, LivePage
from charlotte.browser.isolated_world import GONE, FrameWorld, answer_of, question
from charlotte.errors import DeadlineExceeded
from charlotte.page.frames import Placement, compose_number, split_number
from charlotte.page.identity.references import DocumentNode
from charlotte.page.model import Bounds
from charlotte.protocol.connection import Pending
from charlotte.protocol.errors import ContextGone, SessionGone
from charlotte.protocol.runtime import Evaluated

Answer = dict[str, Any]
Outcome = Literal["met", "missed", "lost", "slipped", "hidden", "strayed"]
"""Of a press: its release may have slipped off, the second of a double click may have strayed.

A press is lost if no event of it arrived in the document of its element.
"""

MET: Outcome = "met"
LOST: Outcome = "lost"

_QUIET_WAIT = 1.5
"""Seconds that frames may take to settle after the main frame."""

_UNSEEN = {"frames": 0, "arrival": False}
_SLICE = 1.0
"""Seconds after which the probe answers, whether the page has settled or not."""

_LEFT = ("later", "animation", "every")
_STILL: dict[str, Any] = {"settled": True, "waited": []}
_SILENT: dict[str, Any] = {**_STILL, "settled": False, "why": "a frame does not answer"}

_WAIT = HANG_AFTER * 2
_LOOK_UP = 0.05
_READING = {"survey", "html"}
_PLACES = {"target", "box", "describe"}
_SCROLLED = "frames_scrolled"
_GONE: Answer = {"error": "gone"}


async def ask_about(
    page: LivePage, tree: FrameTree, place: DocumentNode, function: str, *arguments: object
) -> Answer | None:
    """Return the probe's answer, with points and boxes in px of the main frame's viewport.

    Returns None if the node or its document is gone.
    """
    number, nid = split_number(place.nid)
    frame = tree.frame(number, place.context)
    if frame is None:
        return None
    answer = await _ask_translated(page, frame, function, nid, *arguments)
    if answer.pop(_SCROLLED, None):  # the frame is drawn, and can be hit, only once it is in view
        answer = await _ask_translated(page, frame, function, nid, *arguments)
    return None if answer.get("error") == "gone" else answer


async def alive_among(page: LivePage, tree: FrameTree, numbers: Sequence[int]) -> list[int]:
    """Return the numbers whose nodes are still in their documents, visible or not."""
    by_frame: dict[int, list[int]] = {}
    for number in numbers:
        frame, nid = split_number(number)
        by_frame.setdefault(frame, []).append(nid)
    alive: list[int] = []
    for frame, (first, *others) in by_frame.items():
        place = DocumentNode(tree.main.world.context, compose_number(frame, first))
        answer = await ask_about(page, tree, place, "alive", others) or {"alive": []}
        alive += [compose_number(frame, nid) for nid in answer["alive"]]
    return alive


async def _ask_translated(
    page: LivePage, frame: SeenFrame, function: str, nid: int, *arguments: object
) -> Answer:
    """Ask a frame's probe; translate points and boxes to the main frame."""
    answer = await ask_frame(page, frame, function, nid, *arguments)
    options = [cast("Answer", each) for each in arguments if isinstance(each, dict)]
    is_press = any(each.get("press", False) for each in options)
    while function in _PLACES and frame.parent is not None and "error" not in answer:
        answer = await _translate(page, frame, frame.parent, answer, press=is_press)
        frame = frame.parent
    return answer


async def _translate(
    page: LivePage, frame: SeenFrame, parent: SeenFrame, answer: Answer, *, press: bool
) -> Answer:
    """Translate the point or box of an answer to the parent of the frame."""
    width, height = frame.capture.viewport if frame.capture else (0, 0)
    if "x" in answer:
        point = {"x": answer["x"], "y": answer["y"], "width": width, "height": height}
        point["press"] = press
        outside = await ask_frame(page, parent, "through", frame.owner, point)
        return answer | outside | ({_SCROLLED: True} if "scrolled" in outside else {})
    if answer.get("box"):
        content = await ask_frame(page, parent, "content", frame.owner)
        if "error" in content:
            return content
        placement = Placement().inside(Bounds(*content["box"]), (width, height))
        box = placement.of(Bounds(*answer["box"]))
        return answer | {"box": [box.x, box.y, box.w, box.h]}
    return answer


async def outcome_of(page: LivePage, tree: FrameTree, place: DocumentNode) -> Outcome:
    """Return the outcome of the press that was aimed at a node; a press that navigates met it."""
    frame, outcome = tree.frame(split_number(place.nid)[0], place.context), MET
    while frame is not None and outcome in {MET, LOST}:
        answer = await _ask_unless_leaving(page, frame, "met")
        if answer and answer["outcome"] != MET:  # a press that is lost here may be kept outside
            outcome = answer["outcome"]
        frame = frame.parent
    return outcome


async def was_dropped(page: LivePage, tree: FrameTree, place: DocumentNode) -> bool:
    """Return whether the drag of a node ended with a drop, or with the node in another place.

    A drop that navigates counts.
    """
    frame = tree.frame(split_number(place.nid)[0], place.context)
    answer = None if frame is None else await _ask_unless_leaving(page, frame, "dropped")
    return answer is None or bool(answer["dropped"])


async def _ask_unless_leaving(page: LivePage, frame: SeenFrame, function: str) -> Answer | None:
    """Ask a frame's probe about the last press; return None if its document is gone or leaving.

    During a navigation, the browser holds questions back.
    """
    asked = await frame.world.begin(question(frame.world.context, function))
    async with page.answering():
        while page.activity.navigating_to is None:
            with trio.move_on_after(_LOOK_UP):
                try:
                    answer: Answer = json.loads(answer_of(await asked.result()))
                except GONE:
                    return None
                return answer
    return None


async def ask_frame(page: LivePage, frame: SeenFrame, function: str, *arguments: object) -> Answer:
    """Ask the probe of one frame; return {error: "gone"} if its document was replaced."""
    try:
        if frame.parent is not None:
            answer: Answer = json.loads(await _ask_child(frame, function, *arguments))
            return answer
        seconds = READING_TAKES if function in _READING else _WAIT
        context = frame.world.context
        answer = json.loads(await page.ask_in(context, function, *arguments, seconds=seconds))
    except ContextGone:
        return _GONE
    return answer


async def _ask_child(frame: SeenFrame, function: str, *arguments: object) -> str:
    asked = question(frame.world.context, function, *arguments)
    with trio.move_on_after(_WAIT):
        try:
            text: str = answer_of(await frame.world.session.call(asked))
        except SessionGone as gone:  # not the tab's: the frame was removed or moved
            raise ContextGone(asked.method, gone.refusal_code, gone.refusal) from gone
        return text
    raise DeadlineExceeded(
        f"The frame of this element has not answered for {_WAIT:.0f} s.",
        "Wait and try again, or observe what else is on the page.",
    )


async def settle_frames(
    page: LivePage, tree: FrameTree, function: str, how: Mapping[str, Any]
) -> str:
    """Ask all frames whether they have settled; return the main frame's answer, joined with theirs.

    Frames that the browser does not draw are only asked for their timers.
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
            try:
                part: dict[str, Any] = json.loads(answer_of(await begun.pop().result()))
            except GONE:
                part = _STILL
            _join(whole, part)
    if scope.cancelled_caught:
        _join(whole, _SILENT)
    return json.dumps(whole)


def _join(whole: dict[str, Any], part: dict[str, Any]) -> None:
    """Add the answer of one frame to the joint answer."""
    if not part["settled"] and whole["settled"]:
        whole["why"] = part.get("why", "a frame kept changing")
    whole["settled"] = whole["settled"] and part["settled"]
    whole["more"] = whole.get("more", False) or part.get("more", False)
    whole["waited"] = list(dict.fromkeys(whole["waited"] + part["waited"]))
    for name in ("said", "given", "restyled"):
        whole[name] = whole.get(name, []) + part.get(name, [])
    for name in _LEFT:
        whole[name] = min((ms for one in (whole, part) if (ms := one.get(name))), default=0)


def _others(page: LivePage, tree: FrameTree) -> list[FrameWorld]:
    """Return the worlds of child frames, also of new frames, without those that do not answer."""
    silent = {frame.world.frame_id for frame in tree.shown() if frame.silent}
    main = page.activity.main_frame
    worlds = [
        world
        for world in page.frames.all()
        if world.frame_id not in silent and world.frame_id != main
    ]
    return worlds[:MOST_FRAMES]


def _drawn(tree: FrameTree) -> set[str]:
    """Return the ids of child frames that lie in the window: the browser draws no others."""
    width, height = tree.viewport
    drawn: set[str] = set()
    for frame, placement in islice(all_frames(tree), 1, None):
        if frame.capture is not None:
            area = placement.of(Bounds(0, 0, *frame.capture.viewport))
            if -area.w < area.x < width and -area.h < area.y < height:
                drawn.add(frame.world.frame_id)
    return drawn
