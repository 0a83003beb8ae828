"""Verbs of observe: read the page in a mode."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

import attrs

from charlotte.actors.state.snapshots import SnapshotCause
from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.kept_tree import KeptTree, watch_stillness
from charlotte.actors.tab.look import Look
from charlotte.actors.tab.surveys import (
    EarlySurvey,
    ask_node,
    ask_nodes,
    describe_refs,
    name_refs,
    survey,
)
from charlotte.log import span, trace
from charlotte.page.identity.dom_book import DocumentNode
from charlotte.page.model import PageView
from charlotte.page.modes.content import block_texts, content
from charlotte.page.modes.controls import everything, interactive
from charlotte.page.modes.grep import filter_output
from charlotte.page.modes.lines import ModeOutput, OutputLine, ReferenceTarget, count_fitting_lines
from charlotte.page.modes.options import DEEPEST, ObserveOptions
from charlotte.page.modes.outline import outline
from charlotte.page.modes.report import FEW_ELEMENTS, ModeReport, head
from charlotte.page.modes.structure import structure
from charlotte.page.modes.survey import Survey
from charlotte.page.modes.tree import tree
from charlotte.page.view import add_styles, mark_in_viewport, narrow_view

_CLICKABLE = "clickable"
_TABULATING = {"interactive", "outline", "all"}
_NOT_FILTERED = {"head", "content", "tree"}
"""Modes that filter by themselves, and head, which is never filtered."""

_RAW = "Raw HTML format - no filtering or ref generation applied"


@attrs.frozen(kw_only=True)
class Reading:
    """The page in a text mode: ``refs`` are the e-refs of its lines by node number.

    ``infos`` describe the references, if the options ask for that.
    """

    look: Look
    told: ModeOutput
    report: ModeReport
    refs: Mapping[int, str] = attrs.field(factory=dict[int, str])
    infos: Mapping[str, dict[str, Any]] = attrs.field(factory=dict[str, Any])


async def read_text(
    tab: Tab,
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
        look = await tab.look(source)
        told, report = await _read_scope(tab, look, options)
        reading = Reading(look=look, told=told, report=report)
    told = reading.told
    count = count_fitting_lines(told.header, told.lines, min(room, told.longest or room))
    given = [line.target for line in told.lines[:count] if line.target]
    refs = await name_refs(tab.reader, given)
    if not options.describes_refs:
        return attrs.evolve(reading, refs=refs)
    infos = await describe_refs(tab.reader, _by_reference(told, given, refs))
    return attrs.evolve(reading, refs=refs, infos=infos)


def _by_reference(
    told: ModeOutput, given: Sequence[ReferenceTarget], refs: Mapping[int, str]
) -> dict[str, ReferenceTarget]:
    """Return the elements by reference: the @refs of the table, or else the e-refs of the lines."""
    if told.targets:
        return {f"@ref:{number}": each for number, each in enumerate(told.targets)}
    return {refs[each.nid]: each for each in given if each.nid in refs}


async def name_lines(tab: Tab, given: Sequence[ReferenceTarget]) -> dict[int, str]:
    """Return the e-refs of more lines of an earlier answer."""
    return await name_refs(tab.reader, given)


@attrs.frozen
class PartialLook:
    """A look, and the view with the part and the details that the options ask for."""

    look: Look
    shown: Look
    warning: str | None = None


async def read_view(
    tab: Tab, options: ObserveOptions, *, source: SnapshotCause = "observe"
) -> PartialLook:
    """Read the page in the mode page."""
    look = await tab.look(source)
    root = await tab.references.root(options.selector)
    view = look.snapshot.view
    if options.selector is not None:
        found = await survey(
            tab.reader, root.place, {**options.survey, "depth": DEEPEST, "hidden": False}
        )
        numbers = {part.nid for part in found.elements()}
        view = narrow_view(view, tab.record.ids, numbers, block_texts(found))
    if options.include_styles:
        resolved = [tab.record.ids.resolve(each.id) for each in view.interactive]
        styles = await ask_nodes(tab.reader, "styles", filter(None, resolved))
        view = add_styles(view, tab.record.ids, styles)
    if options.detail == "full":
        view = mark_in_viewport(view)
    shown = attrs.evolve(look, snapshot=attrs.evolve(look.snapshot, view=view))
    return PartialLook(look, shown, root.warning)


async def _read_plain_tree(tab: Tab, options: ObserveOptions) -> Reading:
    kept = tab.kept_tree
    if kept is not None and kept.stillness.lasts:
        trace("snapshot cache hit", tab_id=tab.record.id)
        tab.record.refs.begin_answer()
        report = attrs.evolve(kept.report, cached=True)
        return Reading(look=kept.look, told=kept.told, report=report)
    trace("snapshot cache miss", tab_id=tab.record.id)
    await tab.page.present()
    stillness = await watch_stillness(tab.page)
    early = EarlySurvey(tab.reader, options.survey)
    look = await tab.look("observe", early.begin)
    told, report = await _survey(tab, tab.place(0), options, early)
    tab.kept_tree = KeptTree(look, told, report, stillness) if stillness else None
    return Reading(look=look, told=told, report=report)


async def _read_scope(
    tab: Tab, look: Look, options: ObserveOptions
) -> tuple[ModeOutput, ModeReport]:
    root = await tab.references.root(options.selector)
    if options.format == "html":
        told, report = await _read_html(tab, look, root.place)
    elif options.mode == "head":
        told, report = await _read_head(tab, look, root.place)
    else:
        told, report = await _survey(tab, root.place, options)
    is_filtered = options.format != "html" and options.mode not in _NOT_FILTERED
    if options.grep is not None and is_filtered:
        told = filter_output(told, options.grep)
    if root.warning:
        report = attrs.evolve(report, warnings=[*report.warnings, root.warning])
    return told, report


async def _survey(
    tab: Tab, root: DocumentNode, options: ObserveOptions, early: EarlySurvey | None = None
) -> tuple[ModeOutput, ModeReport]:
    with span("capture_snapshot", tab_id=tab.record.id):
        found = await survey(tab.reader, root, options.survey, early)
    clickable = tab.reader.clickable if options.all_refs else frozenset[int]()
    with span("format_snapshot", tab_id=tab.record.id):
        told = _FORMATS[options.mode](found, options, clickable)
    tab.record.refs.begin_answer()
    if options.mode in _TABULATING:
        shown = tab.record.ids.describe_now
        tab.record.refs.replace_table(tab.place(0).context, told.targets, shown)
    return told, _build_report(found, told, options)


async def _read_head(tab: Tab, look: Look, root: DocumentNode) -> tuple[ModeOutput, ModeReport]:
    view = look.snapshot.view
    facts = await ask_node(tab.reader, root, "head")
    framed = sum(frame.capture.elements for frame in tab.frames.shown() if frame.capture)
    elements = facts["total"] + framed
    told = head(facts, elements=elements, controls=_count_controls(view))
    report = ModeReport(
        url=facts["url"],
        viewport=tuple(facts["viewport"]),
        elements=elements,
        total=told.total,
        captured=told.captured,
        is_blank=not view.lines,
        has_content=bool(view.lines),
    )
    return told, report


def _count_controls(view: PageView) -> int:
    """Return the number of visible interactive elements, in the viewport or not."""
    kinds = Counter(one.type for one in view.interactive if one.state.get("visible", True))
    for (_, kind), count in view.uncaptured.items():
        kinds[kind] += count
    return kinds.total() - kinds[_CLICKABLE]


async def _read_html(tab: Tab, look: Look, root: DocumentNode) -> tuple[ModeOutput, ModeReport]:
    view = look.snapshot.view
    html: str = (await ask_node(tab.reader, root, "html"))["html"]
    count = len(view.interactive)
    report = ModeReport(
        url=view.url,
        viewport=view.viewport,
        elements=html.count("</"),
        total=count,
        captured=count,
        warnings=[_RAW],
    )
    return ModeOutput(header=(), lines=[OutputLine(line) for line in html.split("\n")]), report


_Format = Callable[[Survey, ObserveOptions, frozenset[int]], ModeOutput]

_FORMATS: Mapping[str, _Format] = {
    "tree": lambda found, options, clickable: tree(
        found, all_refs=options.all_refs, clickable=clickable, grep=options.grep
    ),
    "structure": lambda found, options, _: structure(found, max_lines=options.max_lines),
    "content": lambda found, options, _: content(found, options.content, options.grep),
    "outline": lambda found, _, __: outline(found),
    "interactive": lambda found, _, clickable: interactive(found, clickable),
    "all": lambda found, _, clickable: everything(found, clickable),
}


def _build_report(found: Survey, told: ModeOutput, options: ObserveOptions) -> ModeReport:
    grep: list[str] = options.grep.warnings() if options.grep else []
    return ModeReport(
        url=found.url,
        viewport=found.viewport,
        elements=sum(1 for _ in islice(found.elements(), FEW_ELEMENTS)),
        total=max(told.total, found.controls),
        captured=told.captured,
        is_blank=not any(found.texts()),
        has_content=len(told.lines) > (options.mode == "tree"),
        depth_limited=found.cut,
        warnings=[*told.warnings, *grep],
    )
