"""Surveys of a page with its frames, and the e-refs of what lies in them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import attrs
import trio

from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.frame_queries import ask_about
from charlotte.actors.tab.frame_tree import FRAMES_WAIT, SeenFrame, left_out
from charlotte.actors.tab.page_connection import HANG_AFTER, READING_TAKES
from charlotte.browser.isolated_world import answer_of, question
from charlotte.browser.remote_nodes import GONE, nodes_of
from charlotte.errors import ElementNotFound
from charlotte.page.frames import compose_number, split_number
from charlotte.page.identity.dom_book import DocumentNode
from charlotte.page.modes.lines import ReferenceTarget
from charlotte.page.modes.survey import Survey, attach_document, parse_survey
from charlotte.protocol.connection import Pending
from charlotte.protocol.dom import DomNode
from charlotte.protocol.runtime import Evaluated

_NODE_TAKES = 0.002
"""Seconds in which the browser tells of one node, at the very most."""

Options = Mapping[str, object]


@attrs.define(eq=False)
class Ahead:
    """A survey of a page that the browser makes while what was captured is made a view of."""

    _tab: Tab
    _options: Options
    _asked: Pending[Evaluated] | None = None

    async def begin(self) -> None:
        """Ask for it."""
        main = self._tab.frames.main.world
        self._asked = await main.begin(question(main.context, "survey", 0, self._options))

    async def answer(self) -> Mapping[str, Any] | None:
        """What the probe says; None when its document has gone, or it was not asked."""
        if self._asked is None:
            return None
        async with self._tab.page.answering(READING_TAKES):
            with suppress(*GONE):
                answer: Mapping[str, Any] = json.loads(answer_of(await self._asked.result()))
                return answer
        return None


async def survey(
    tab: Tab, root: DocumentNode, options: Options, ahead: Ahead | None = None
) -> Survey:
    """What lies in a node, in all its frames; node 0 stands for the body of its document.

    Raises `ElementNotFound` when it is gone.
    """
    answer = await ahead.answer() if ahead else None
    answer = answer or await asked(tab, root, "survey", options)
    found = parse_survey(answer, split_number(root.nid)[0])
    await _fill_frames(tab, root, found, options)
    return found


async def asked(
    tab: Tab, root: DocumentNode, function: str, *arguments: object
) -> Mapping[str, Any]:
    """What the probe says of a node; raises `ElementNotFound` when it is gone."""
    answer = await ask_about(tab.page, tab.frames, root, function, *arguments)
    if answer is None:
        raise ElementNotFound("What was to be looked at is gone.", "Observe the page.")
    return answer


async def _fill_frames(tab: Tab, root: DocumentNode, found: Survey, options: Options) -> None:
    frame = tab.frames.by_number(split_number(root.nid)[0])
    for part in list(found.elements()) if frame and frame.children else []:
        child = (
            frame.children.get(split_number(part.nid)[1])
            if frame and part.role == "iframe"
            else None
        )
        if child is not None and child.capture is not None:
            place = DocumentNode(root.context, compose_number(child.number, 0))
            if inside := await _survey_in_time(tab, place, options):
                attach_document(part, inside)
            else:
                tab.record.notify([left_out(child)])


async def _survey_in_time(tab: Tab, frame: DocumentNode, options: Options) -> Survey | None:
    """None of a frame that has begun to hang, or has gone, since the page was captured."""
    with trio.move_on_after(FRAMES_WAIT), suppress(ElementNotFound):
        return await survey(tab, frame, options)
    return None


async def refs_of(tab: Tab, given: Iterable[ReferenceTarget]) -> dict[int, str]:
    """The e-refs of elements, by their numbers; those that are gone have none."""
    refs: dict[int, str] = {}
    by_frame: dict[int, list[ReferenceTarget]] = {}
    for one in given:
        by_frame.setdefault(split_number(one.nid)[0], []).append(one)
    for number, members in by_frame.items():
        if frame := tab.frames.by_number(number):
            refs |= await _refs_in(tab, frame, members)
    return refs


async def _refs_in(tab: Tab, frame: SeenFrame, given: Sequence[ReferenceTarget]) -> dict[int, str]:
    """Asks the browser about those elements only that it has not been asked about before."""
    book = tab.record.refs
    new = [one for one in given if not book.has_reference(tab.place(one.nid))]
    nids = [split_number(one.nid)[1] for one in new]
    nodes = await _nodes_in_time(tab, frame, nids)
    numbers = {one.nid: node.backend_node_id for one, node in zip(new, nodes, strict=True) if node}
    return {
        one.nid: book.name(
            place, numbers.get(one.nid, 0), one, tab.record.ids.describe_now(one.nid)
        )
        for one in given
        if book.has_reference(place := tab.place(one.nid)) or one.nid in numbers
    }


async def _nodes_in_time(tab: Tab, frame: SeenFrame, nids: Sequence[int]) -> list[DomNode | None]:
    """The nodes with these numbers; raises `TabHung`, but has none of a child frame that hangs."""
    seconds = HANG_AFTER + len(nids) * _NODE_TAKES
    if frame.parent is None:
        async with tab.page.answering(seconds):
            return await nodes_of(frame.world.session, frame.world.context, nids)
    with trio.move_on_after(seconds):
        return await nodes_of(frame.world.session, frame.world.context, nids)
    tab.record.notify([left_out(frame)])
    return [None] * len(nids)
