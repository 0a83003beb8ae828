"""Surveys of a page with its frames; the e-refs of elements and their descriptions."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import attrs
import trio

from charlotte.actors.tab.frames import FRAMES_WAIT, SeenFrame, left_out
from charlotte.actors.tab.page_connection import HANG_AFTER, READING_TAKES
from charlotte.actors.tab.page_reader import PageReader
from charlotte.browser.isolated_world import GONE, answer_of, nodes_of, question
from charlotte.errors import ElementNotFound
from charlotte.page.capture import Placement, compose_number, content_box, split_number
from charlotte.page.identity.references import DocumentNode
from charlotte.page.model import Bounds, ReferenceTarget
from charlotte.page.modes.survey import Survey, attach_document, parse_survey
from charlotte.protocol.connection import Pending
from charlotte.protocol.dom import DomNode
from charlotte.protocol.runtime import Evaluated

_NODE_TAKES = 0.002
"""Seconds that the browser takes to describe one node at most."""

Options = Mapping[str, object]


@attrs.define(eq=False)
class EarlySurvey:
    """A survey that the browser makes while the capture is made a view."""

    _reader: PageReader
    _options: Options
    _asked: Pending[Evaluated] | None = None

    async def begin(self) -> None:
        """Ask the probe for the survey."""
        main = self._reader.frames.main.world
        self._asked = await main.begin(question(main.context, "survey", 0, self._options))

    async def answer(self) -> Mapping[str, Any] | None:
        """Return the probe's answer; None if its document is gone or the probe was not asked."""
        if self._asked is None:
            return None
        async with self._reader.page.answering(READING_TAKES):
            with suppress(*GONE):
                answer: Mapping[str, Any] = json.loads(answer_of(await self._asked.result()))
                return answer
        return None


async def survey(
    reader: PageReader, root: DocumentNode, options: Options, early: EarlySurvey | None = None
) -> Survey:
    """Survey a node with all its frames; node 0 is the body of its document.

    Raises `ElementNotFound` if the node is gone.
    """
    answer = await early.answer() if early else None
    answer = answer or await ask_node(reader, root, "survey", options)
    found = parse_survey(answer, split_number(root.nid)[0])
    await _fill_frames(reader, root, found, options)
    return found


async def ask_node(
    reader: PageReader, root: DocumentNode, function: str, *arguments: object
) -> Mapping[str, Any]:
    """Ask the probe about a node; raises `ElementNotFound` if the node is gone."""
    answer = await reader.frames.ask_node(root, function, *arguments)
    if answer is None:
        raise ElementNotFound("The element to look at is gone.", "Observe the page.")
    return answer


async def _fill_frames(
    reader: PageReader, root: DocumentNode, found: Survey, options: Options
) -> None:
    frame = reader.frames.by_number(split_number(root.nid)[0])
    for part in list(found.elements()) if frame and frame.children else []:
        child = (
            frame.children.get(split_number(part.nid)[1])
            if frame and part.role == "iframe"
            else None
        )
        if child is not None and child.capture is not None:
            place = DocumentNode(root.context, compose_number(child.number, 0))
            if inside := await _survey_in_time(reader, place, options):
                attach_document(part, inside)
            else:
                reader.record.notify([left_out(child)])


async def _survey_in_time(
    reader: PageReader, frame: DocumentNode, options: Options
) -> Survey | None:
    """Survey a frame; return None if it hangs or is gone since the page was captured."""
    with trio.move_on_after(FRAMES_WAIT), suppress(ElementNotFound):
        return await survey(reader, frame, options)
    return None


async def name_refs(reader: PageReader, given: Iterable[ReferenceTarget]) -> dict[int, str]:
    """Return the e-refs of elements by number, without elements that are gone."""
    refs: dict[int, str] = {}
    by_frame: dict[int, list[ReferenceTarget]] = {}
    for one in given:
        by_frame.setdefault(split_number(one.nid)[0], []).append(one)
    for number, members in by_frame.items():
        if frame := reader.frames.by_number(number):
            refs |= await _refs_in(reader, frame, members)
    return refs


async def _refs_in(
    reader: PageReader, frame: SeenFrame, given: Sequence[ReferenceTarget]
) -> dict[int, str]:
    """Name the elements of a frame; the browser is asked only about elements that have no name."""
    book = reader.record.refs
    new = [one for one in given if not book.has_reference(reader.place(one.nid))]
    nids = [split_number(one.nid)[1] for one in new]
    nodes = await _nodes_in_time(reader, frame, nids)
    numbers = {one.nid: node.backend_node_id for one, node in zip(new, nodes, strict=True) if node}
    return {
        one.nid: book.name(
            place, numbers.get(one.nid, 0), one, reader.record.ids.describe_now(one.nid)
        )
        for one in given
        if book.has_reference(place := reader.place(one.nid)) or one.nid in numbers
    }


async def _nodes_in_time(
    reader: PageReader, frame: SeenFrame, nids: Sequence[int]
) -> list[DomNode | None]:
    """Return the nodes with these numbers, none for a child frame that hangs; raises `TabHung`."""
    seconds = HANG_AFTER + len(nids) * _NODE_TAKES
    if frame.parent is None:
        async with reader.page.answering(seconds):
            return await nodes_of(frame.world, nids)
    with trio.move_on_after(seconds):
        return await nodes_of(frame.world, nids)
    reader.record.notify([left_out(frame)])
    return [None] * len(nids)


async def describe_refs(
    reader: PageReader, given: Mapping[str, ReferenceTarget]
) -> dict[str, dict[str, Any]]:
    """Return ``{selector, role, name?, bbox?, inViewport}`` by reference (B-REFI-01).

    A selector is for the frame's document; boxes are in px of the page's viewport.
    """
    rows = await reader.frames.ask_nodes("selectors", {one.nid for one in given.values()})
    viewport = reader.frames.main.viewport
    infos: dict[str, dict[str, Any]] = {}
    for reference, one in given.items():
        if row := rows.get(one.nid):
            selector, box = row
            frame = reader.frames.by_number(split_number(one.nid)[0])
            bounds = _placement(frame).of(Bounds(*box)) if box and frame else None
            infos[reference] = _info(one, selector, bounds, viewport)
    return infos


def _info(
    given: ReferenceTarget, selector: str, bounds: Bounds | None, viewport: tuple[int, int]
) -> dict[str, Any]:
    info: dict[str, Any] = {"selector": selector, "role": given.role or "generic"}
    if given.name:
        info["name"] = given.name
    if bounds:
        info["bbox"] = {"x": bounds.x, "y": bounds.y, "width": bounds.w, "height": bounds.h}
    info["inViewport"] = bounds is not None and bounds.is_in_viewport(viewport)
    return info


def _placement(frame: SeenFrame) -> Placement:
    """Return the place of a frame's viewport in the page as last captured."""
    if frame.parent is None or frame.capture is None:
        return Placement()
    row = next(one for one in frame.parent.rows if one.nid == frame.owner)
    return _placement(frame.parent).inside(content_box(row), frame.capture.viewport)
