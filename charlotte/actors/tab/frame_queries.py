"""Questions about elements wherever they lie: the right frame is asked, its places carried out."""

import json
from collections.abc import Sequence
from typing import Any, Literal, cast

import trio

from charlotte.actors.tab.frame_tree import FrameTree, SeenFrame
from charlotte.actors.tab.page_connection import HANG_AFTER, READING_TAKES, LivePage
from charlotte.browser.isolated_world import answer_of, question
from charlotte.browser.remote_nodes import GONE
from charlotte.errors import DeadlineExceeded
from charlotte.page.frames import Placement, compose_number, split_number
from charlotte.page.identity.dom_book import DocumentNode
from charlotte.page.model import Bounds
from charlotte.protocol.errors import ContextGone, SessionGone

Answer = dict[str, Any]
Outcome = Literal["met", "missed", "lost", "slipped", "hidden", "strayed"]
"""Of a press; its release may have slipped off, the second of a double click may have strayed.

A press is lost if no event of it arrived in the document of its element.
"""

MET: Outcome = "met"
LOST: Outcome = "lost"

_WAIT = HANG_AFTER * 2
_LOOK_UP = 0.05
_READING = {"survey", "html"}
_PLACES = {"target", "box", "describe"}
_SCROLLED = "frames_scrolled"
_GONE: Answer = {"error": "gone"}


async def ask_about(
    page: LivePage, tree: FrameTree, place: DocumentNode, function: str, *arguments: object
) -> Answer | None:
    """The probe's answer, points and boxes in px of the main frame's viewport.

    None when the node or its document is gone.
    """
    number, nid = split_number(place.nid)
    frame = tree.frame(number, place.context)
    if frame is None:
        return None
    answer = await _outside(page, frame, function, nid, *arguments)
    if answer.pop(_SCROLLED, None):  # what was out of view is drawn only now, and can be hit
        answer = await _outside(page, frame, function, nid, *arguments)
    return None if answer.get("error") == "gone" else answer


async def alive_among(page: LivePage, tree: FrameTree, numbers: Sequence[int]) -> list[int]:
    """Those of the numbers whose nodes are in their documents, to be seen or not."""
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


async def _outside(
    page: LivePage, frame: SeenFrame, function: str, nid: int, *arguments: object
) -> Answer:
    """The answer of the frame's probe, its places as they are in the main frame."""
    answer = await ask_frame(page, frame, function, nid, *arguments)
    while function in _PLACES and frame.parent is not None and "error" not in answer:
        answer = await _carried_out(page, frame, frame.parent, answer, press=_is_press(arguments))
        frame = frame.parent
    return answer


def _is_press(arguments: Sequence[object]) -> bool:
    options = [cast("Answer", each) for each in arguments if isinstance(each, dict)]
    return any(each.get("press", False) for each in options)


async def _carried_out(
    page: LivePage, frame: SeenFrame, parent: SeenFrame, answer: Answer, *, press: bool
) -> Answer:
    """An answer with its point or box as the parent of the frame sees it."""
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
    """Return what became of the press that was aimed at a node; one that led away met it."""
    frame, outcome = tree.frame(split_number(place.nid)[0], place.context), MET
    while frame is not None and outcome in {MET, LOST}:
        answer = await _ask_unless_leaving(page, frame, "met")
        if answer and answer["outcome"] != MET:  # a press that is lost here may be kept outside
            outcome = answer["outcome"]
        frame = frame.parent
    return outcome


async def was_dropped(page: LivePage, tree: FrameTree, place: DocumentNode) -> bool:
    """Return whether the drag of a node ended with a drop, or with the node in another place.

    A drop that led away was one.
    """
    frame = tree.frame(split_number(place.nid)[0], place.context)
    answer = None if frame is None else await _ask_unless_leaving(page, frame, "dropped")
    return answer is None or bool(answer["dropped"])


async def _ask_unless_leaving(page: LivePage, frame: SeenFrame, function: str) -> Answer | None:
    """The answer of a frame's probe about the last press; None if its document is gone or leaves.

    While a navigation is on its way, the browser holds back what is asked.
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
    """The answer of one frame's probe; {error: "gone"} when its document was replaced."""
    ask = _ask_main if frame.parent is None else _ask_child
    try:
        answer: Answer = json.loads(await ask(page, frame, function, *arguments))
    except ContextGone:
        return _GONE
    return answer


async def _ask_main(page: LivePage, frame: SeenFrame, function: str, *arguments: object) -> str:
    seconds = READING_TAKES if function in _READING else _WAIT
    text: str = await page.ask_in(frame.world.context, function, *arguments, seconds=seconds)
    return text


async def _ask_child(_: LivePage, frame: SeenFrame, function: str, *arguments: object) -> str:
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
