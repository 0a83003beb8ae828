"""Verbs of observe: read the page in a mode."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

import attrs
import trio

from charlotte.actors.state.snapshots import SnapshotCause
from charlotte.actors.tab.actor import Look, Reading, TabActor
from charlotte.actors.tab.page.frames import FRAMES_WAIT, ProbeAnswer, SeenFrame, note_left_out
from charlotte.actors.tab.page.page_connection import HANG_AFTER, READING_TAKES
from charlotte.base.errors import ElementNotFound
from charlotte.base.log import span, trace
from charlotte.browser.world.isolated_world import GONE, nodes_of, read_answer
from charlotte.page.capture import compose_number, split_number
from charlotte.page.identity.references import DocumentNode
from charlotte.page.model import Bounds, ReferenceTarget
from charlotte.page.modes.content import block_texts, content
from charlotte.page.modes.inline import InlineStyle
from charlotte.page.modes.lines import (
    DEEPEST,
    FEW_ELEMENTS,
    RAW,
    ModeOutput,
    ModeReport,
    ObserveOptions,
    OutputLine,
    filter_output,
    head,
    take_lines,
)
from charlotte.page.modes.listings import everything, interactive, outline, structure
from charlotte.page.modes.survey import Survey, attach_document, parse_survey
from charlotte.page.modes.tree import tree
from charlotte.page.view import add_styles, mark_in_viewport, narrow_view
from charlotte.protocol.connection import Pending
from charlotte.protocol.dom import DomNode
from charlotte.protocol.runtime import Evaluated

_CLICKABLE = "clickable"
_TABULATING = {"interactive", "outline", "all"}
_NOT_FILTERED = {"head", "content", "tree"}
"""Modes that filter by themselves, and head, which is never filtered."""

_NODE_TAKES = 0.002
"""Largest time in seconds that the browser takes to describe one node."""


async def read_text(
    tab: TabActor,
    options: ObserveOptions,
    room: int,
    *,
    source: SnapshotCause = "observe",
    keep: bool = False,
) -> Reading:
    """Read the page in a text mode; name the references of the lines that fit in the room.

    With ``keep``, the plain tree is kept, and returned again while nothing happens to the page.
    """
    if keep:
        reading = await _read_plain_tree(tab, options)
    else:
        await tab.page.present()
        look = await tab.look(source)
        root, warnings = await tab.find_root(options.selector)
        if options.format == "html":
            output, report = await _read_html(tab, look, root)
        elif options.mode == "head":
            output, report = await _read_head(tab, look, root)
        else:
            output, report = await _survey(tab, root, options)
        is_filtered = options.format != "html" and options.mode not in _NOT_FILTERED
        if options.grep is not None and is_filtered:
            output = filter_output(output, options.grep)
        report = attrs.evolve(report, warnings=[*report.warnings, *warnings])
        reading = Reading(look=look, output=output, report=report)
    output = reading.output
    shown, _ = take_lines(output.header, output.lines, min(room, output.longest or room))
    given = [line.target for line in shown if line.target]
    refs = await name_lines(tab, given)
    if not options.describes_refs:
        return attrs.evolve(reading, refs=refs)
    # the @refs of the table, or else the e-refs of the lines
    named = {f"@ref:{number}": each for number, each in enumerate(output.targets)}
    named = named or {refs[each.nid]: each for each in given if each.nid in refs}
    infos = await _describe_refs(tab, named)
    return attrs.evolve(reading, refs=refs, infos=infos)


async def read_view(
    tab: TabActor, options: ObserveOptions, *, source: SnapshotCause = "observe"
) -> tuple[Look, bool, Sequence[str]]:
    """Read the page in the mode page.

    Returns a look at the part and the details that the options ask for, whether its view differs
    from the stored view, and warnings.
    """
    look = await tab.look(source)
    root, warnings = await tab.find_root(options.selector)
    view = look.snapshot.view
    if options.selector is not None or options.in_view:
        found = await survey(tab, root, {**options.survey, "depth": DEEPEST, "hidden": False})
        numbers = {part.nid for part in found.elements()}
        view = narrow_view(view, tab.record.ids, numbers, block_texts(found))
    if options.include_styles:
        resolved = [tab.record.ids.resolve(each.id) for each in view.interactive]
        styles = await tab.frames.ask_nodes("styles", filter(None, resolved))
        view = add_styles(view, tab.record.ids, styles)
    if options.detail == "full":
        view = mark_in_viewport(view)
    shown = attrs.evolve(look, snapshot=attrs.evolve(look.snapshot, view=view))
    return shown, view is not look.snapshot.view, warnings


async def _read_plain_tree(tab: TabActor, options: ObserveOptions) -> Reading:
    if tab.kept_tree is not None:
        reading, is_still = tab.kept_tree
        if is_still():
            trace("snapshot cache hit", tab_id=tab.record.id)
            tab.record.refs.begin_answer()
            return attrs.evolve(reading, report=attrs.evolve(reading.report, cached=True))
    trace("snapshot cache miss", tab_id=tab.record.id)
    await tab.page.present()
    still = await tab.page.watch_stillness()
    asked = list[Pending[Evaluated]]()

    async def begin() -> None:
        """Have the page surveyed while the capture is made a view."""
        main = tab.frames.main.world
        asked.append(await main.begin("survey", 0, options.survey))

    look = await tab.look("observe", begin)
    answer = None
    async with tab.page.answering(READING_TAKES, reads=True):
        with suppress(*GONE):
            answer = await read_answer(asked[0])
    output, report = await _survey(tab, tab.place(0), options, answer)
    reading = Reading(look=look, output=output, report=report)
    tab.kept_tree = (reading, still) if still else None
    return reading


async def _survey(
    tab: TabActor, root: DocumentNode, options: ObserveOptions, answer: ProbeAnswer | None = None
) -> tuple[ModeOutput, ModeReport]:
    with span("capture_snapshot", tab_id=tab.record.id):
        found = await survey(tab, root, options.survey, answer)
    clickable = tab.clickable if options.all_refs else frozenset[int]()
    with span("format_snapshot", tab_id=tab.record.id):
        output = _FORMATS[options.mode](found, options, clickable)
    tab.record.refs.begin_answer()
    if options.mode in _TABULATING:
        shown = tab.record.ids.describe_now
        tab.record.refs.replace_table(tab.place(0).context, output.targets, shown)
    grep: list[str] = options.grep.warnings() if options.grep else []
    controls = sum(element.is_interactive for element in found.elements())
    total, captured = output.counted or (controls, controls)
    return output, ModeReport(
        url=found.url,
        viewport=found.viewport,
        elements=sum(1 for _ in islice(found.elements(), FEW_ELEMENTS)),
        total=max(total, found.controls),
        captured=captured,
        is_blank=found.is_blank,
        has_content=len(output.lines) > (options.mode == "tree"),
        depth_limited=found.cut,
        warnings=[*output.warnings, *grep],
    )


async def _read_head(
    tab: TabActor, look: Look, root: DocumentNode
) -> tuple[ModeOutput, ModeReport]:
    view = look.snapshot.view
    facts = await ask_node(tab, root, "head")
    framed = sum(frame.capture.elements for frame in tab.frames.shown() if frame.capture)
    elements = facts["total"] + framed
    kinds = Counter(one.type for one in view.interactive if one.state.get("visible", True))
    for (_, kind), count in view.uncaptured.items():
        kinds[kind] += count
    controls = kinds.total() - kinds[_CLICKABLE]
    if root != tab.place(0):
        part = [*(await survey(tab, root, {"depth": DEEPEST})).elements()]
        elements, controls = len(part), sum(element.is_interactive for element in part)
    report = ModeReport(
        url=facts["url"],
        viewport=tuple(facts["viewport"]),
        elements=elements,
        total=controls,
        captured=controls,
        is_blank=not view.lines,
        has_content=bool(view.lines),
    )
    return head(facts, elements=elements, controls=controls), report


async def _read_html(
    tab: TabActor, look: Look, root: DocumentNode
) -> tuple[ModeOutput, ModeReport]:
    view = look.snapshot.view
    html: str = (await ask_node(tab, root, "html"))["html"]
    count = len(view.interactive)
    report = ModeReport(
        url=view.url,
        viewport=view.viewport,
        elements=html.count("</"),
        total=count,
        captured=count,
        is_blank=not view.lines,
        has_content=True,
        warnings=[RAW],
    )
    return ModeOutput(header=(), lines=[OutputLine(line) for line in html.split("\n")]), report


_FORMATS: Mapping[str, Callable[[Survey, ObserveOptions, frozenset[int]], ModeOutput]] = {
    "tree": lambda found, options, clickable: tree(
        found, all_refs=options.all_refs, clickable=clickable, grep=options.grep
    ),
    "structure": lambda found, options, _: structure(found, max_lines=options.max_lines),
    "content": lambda found, options, _: content(
        found,
        InlineStyle(
            markdown=options.format == "markdown",
            values=True,
            links=options.include_links,
            images=options.include_images,
        ),
        options.grep,
        max_length=options.max_length,
    ),
    "outline": lambda found, _, __: outline(found),
    "interactive": lambda found, _, clickable: interactive(found, clickable),
    "all": lambda found, _, clickable: everything(found, clickable),
}


async def survey(
    tab: TabActor,
    root: DocumentNode,
    options: Mapping[str, object],
    answer: ProbeAnswer | None = None,
) -> Survey:
    """Survey a node with all its frames; node 0 is the body of its document.

    ``answer`` is the probe's survey if it has been asked already. Raises `ElementNotFound` if the
    node is gone.
    """
    answer = answer or await ask_node(tab, root, "survey", options)
    number, _ = split_number(root.nid)
    found, frame = parse_survey(answer, number), tab.frames.by_number(number)
    children = frame.children if frame else {}
    for part in list(found.elements()) if children else ():
        child = children.get(split_number(part.nid)[1]) if part.role == "iframe" else None
        if child is not None and child.capture is not None:
            place = DocumentNode(root.context, compose_number(child.number, 0))
            with trio.move_on_after(FRAMES_WAIT), suppress(ElementNotFound):
                attach_document(part, await survey(tab, place, options))
                continue
            tab.record.notify([note_left_out([child.name])])
    return found


async def ask_node(
    tab: TabActor, root: DocumentNode, function: str, *arguments: object
) -> ProbeAnswer:
    """Ask the probe about a node; raises `ElementNotFound` if the node is gone."""
    answer = await tab.frames.ask_node(root, function, *arguments)
    if answer is None:
        raise ElementNotFound("The element to look at is gone.", "Observe the page.")
    return answer


async def name_lines(tab: TabActor, given: Iterable[ReferenceTarget]) -> dict[int, str]:
    """Return the e-refs of elements by number, without elements that are gone.

    The browser is asked only about elements that have no name.
    """
    book, describe = tab.record.refs, tab.record.ids.describe_now
    given = [one for one in given if tab.frames.by_number(split_number(one.nid)[0])]
    new = [one.nid for one in given if not book.has_reference(tab.place(one.nid))]
    numbers: dict[int, int] = {}
    for frame, nids in tab.frames.group(new):
        nodes = await _nodes_in_time(tab, frame, nids)
        for nid, node in zip(nids, nodes, strict=True):
            if node is not None:
                numbers[compose_number(frame.number, nid)] = node.backend_node_id
    return {
        one.nid: book.name(place, numbers.get(one.nid, 0), one, describe(one.nid))
        for one in given
        if book.has_reference(place := tab.place(one.nid)) or one.nid in numbers
    }


async def _nodes_in_time(
    tab: TabActor, frame: SeenFrame, nids: Sequence[int]
) -> list[DomNode | None]:
    """Return the nodes with these numbers, none for a child frame that hangs; raises `TabHung`."""
    seconds = HANG_AFTER + len(nids) * _NODE_TAKES
    if frame.parent is None:
        async with tab.page.answering(seconds):
            return await nodes_of(frame.world, nids)
    with trio.move_on_after(seconds):
        return await nodes_of(frame.world, nids)
    tab.record.notify([note_left_out([frame.name])])
    return [None] * len(nids)


async def _describe_refs(
    tab: TabActor, given: Mapping[str, ReferenceTarget]
) -> dict[str, dict[str, Any]]:
    """Return ``{selector, role, name?, bbox?, inViewport}`` by reference (B-REFI-01).

    A selector is for the frame's document; boxes are in px of the page's viewport.
    """
    rows = await tab.frames.ask_nodes("selectors", {one.nid for one in given.values()})
    placements = {frame.number: placement for frame, placement in tab.frames.placed()}
    infos: dict[str, dict[str, Any]] = {}
    for reference, one in given.items():
        if one.nid not in rows:
            continue
        selector, box = rows[one.nid]
        info = infos[reference] = {"selector": selector, "role": one.role or "generic"}
        if one.name:
            info["name"] = one.name
        placement = placements.get(split_number(one.nid)[0])
        bounds = placement.of(Bounds(*box)) if box and placement else None
        if bounds:
            info["bbox"] = {"x": bounds.x, "y": bounds.y, "width": bounds.w, "height": bounds.h}
        shown = tab.frames.main.viewport
        info["inViewport"] = bounds is not None and bounds.is_in_viewport(shown)
    return infos
