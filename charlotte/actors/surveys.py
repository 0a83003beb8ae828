"""Surveys of a page with its frames, and the e-refs of what lies in them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from charlotte.actors.frame_points import ask_about
from charlotte.actors.frame_tree import SeenFrame
from charlotte.actors.tab import Tab
from charlotte.browser.nodes import nodes_of
from charlotte.errors import ElementNotFound
from charlotte.page.dom_book import Place
from charlotte.page.frames import composed, parts
from charlotte.page.modes.lines import Given
from charlotte.page.modes.survey import Survey, put_inside, read_survey

Options = Mapping[str, object]


async def survey(tab: Tab, root: Place, options: Options) -> Survey:
    """What lies in a node, in all its frames; node 0 stands for the body of its document.

    Raises `ElementNotFound` when it is gone.
    """
    answer = await asked(tab, root, "survey", options)
    found = read_survey(answer, parts(root.nid)[0])
    await _fill_frames(tab, root, found, options)
    return found


async def asked(tab: Tab, root: Place, function: str, *arguments: object) -> Mapping[str, Any]:
    """What the probe says of a node; raises `ElementNotFound` when it is gone."""
    answer = await ask_about(tab.page, tab.frames, root, function, *arguments)
    if answer is None:
        raise ElementNotFound("What was to be looked at is gone.", "Observe the page.")
    return answer


async def _fill_frames(tab: Tab, root: Place, found: Survey, options: Options) -> None:
    number, _ = parts(root.nid)
    frame = _frame(tab, number)
    for part in list(found.parts()) if frame and frame.children else []:
        child = frame.children.get(parts(part.nid)[1]) if frame and part.role == "iframe" else None
        if child is not None and child.capture is not None:
            place = Place(root.context, composed(child.number, 0))
            put_inside(part, await survey(tab, place, options))


def _frame(tab: Tab, number: int) -> SeenFrame | None:
    if number == 0:
        return tab.frames.main
    return next((one for one in tab.frames.shown() if one.number == number), None)


async def refs_of(tab: Tab, given: Iterable[Given]) -> dict[int, str]:
    """The e-refs of elements, by their numbers; those that are gone have none."""
    refs: dict[int, str] = {}
    by_frame: dict[int, list[Given]] = {}
    for one in given:
        by_frame.setdefault(parts(one.nid)[0], []).append(one)
    for number, members in by_frame.items():
        frame = _frame(tab, number)
        if frame is not None:
            refs |= await _refs_in(tab, frame, members)
    return refs


async def _refs_in(tab: Tab, frame: SeenFrame, given: Sequence[Given]) -> dict[int, str]:
    """Asks the browser about those elements only that it has not been asked about before."""
    book = tab.record.refs
    new = [one for one in given if book.known(tab.place(one.nid)) is None]
    nids = [parts(one.nid)[1] for one in new]
    nodes = await nodes_of(frame.world.session, frame.world.context, nids)
    numbers = {one.nid: node.backend_node_id for one, node in zip(new, nodes, strict=True) if node}
    return {
        one.nid: book.name(place, numbers.get(one.nid, 0), one)
        for one in given
        if book.known(place := tab.place(one.nid)) or one.nid in numbers
    }
