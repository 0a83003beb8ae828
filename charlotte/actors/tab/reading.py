"""Verbs of observe and find: read the page in a mode, search it."""

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
    describe_refs,
    name_refs,
    survey,
)
from charlotte.errors import InvalidArgument
from charlotte.log import span, trace
from charlotte.page.find import (
    Anchor,
    Query,
    filter_by_position,
    filter_matches,
    find_elements,
)
from charlotte.page.identity.references import DocumentNode, Match
from charlotte.page.model import Bounds, Element, PageView, ReferenceTarget
from charlotte.page.modes.content import block_texts, content
from charlotte.page.modes.inline import InlineStyle
from charlotte.page.modes.lines import (
    FEW_ELEMENTS,
    ModeOutput,
    ModeReport,
    OutputLine,
    count_fitting_lines,
    head,
)
from charlotte.page.modes.listings import everything, interactive, outline, structure
from charlotte.page.modes.options import DEEPEST, ObserveOptions, filter_output
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
    output: ModeOutput
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
        output, report = await _read_scope(tab, look, options)
        reading = Reading(look=look, output=output, report=report)
    output = reading.output
    count = count_fitting_lines(output.header, output.lines, min(room, output.longest or room))
    given = [line.target for line in output.lines[:count] if line.target]
    refs = await name_refs(tab, given)
    if not options.describes_refs:
        return attrs.evolve(reading, refs=refs)
    infos = await describe_refs(tab, _by_reference(output, given, refs))
    return attrs.evolve(reading, refs=refs, infos=infos)


def _by_reference(
    output: ModeOutput, given: Sequence[ReferenceTarget], refs: Mapping[int, str]
) -> dict[str, ReferenceTarget]:
    """Return the elements by reference: the @refs of the table, or else the e-refs of the lines."""
    if output.targets:
        return {f"@ref:{number}": each for number, each in enumerate(output.targets)}
    return {refs[each.nid]: each for each in given if each.nid in refs}


async def name_lines(tab: Tab, given: Sequence[ReferenceTarget]) -> dict[int, str]:
    """Return the e-refs of more lines of an earlier answer."""
    return await name_refs(tab, given)


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
        found = await survey(tab, root.place, {**options.survey, "depth": DEEPEST, "hidden": False})
        numbers = {part.nid for part in found.elements()}
        view = narrow_view(view, tab.record.ids, numbers, block_texts(found))
    if options.include_styles:
        resolved = [tab.record.ids.resolve(each.id) for each in view.interactive]
        styles = await tab.frames.ask_nodes("styles", filter(None, resolved))
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
        return Reading(look=kept.look, output=kept.output, report=report)
    trace("snapshot cache miss", tab_id=tab.record.id)
    await tab.page.present()
    stillness = await watch_stillness(tab.page)
    early = EarlySurvey(tab, options.survey)
    look = await tab.look("observe", early.begin)
    output, report = await _survey(tab, tab.place(0), options, early)
    tab.kept_tree = KeptTree(look, output, report, stillness) if stillness else None
    return Reading(look=look, output=output, report=report)


async def _read_scope(
    tab: Tab, look: Look, options: ObserveOptions
) -> tuple[ModeOutput, ModeReport]:
    root = await tab.references.root(options.selector)
    if options.format == "html":
        output, report = await _read_html(tab, look, root.place)
    elif options.mode == "head":
        output, report = await _read_head(tab, look, root.place)
    else:
        output, report = await _survey(tab, root.place, options)
    is_filtered = options.format != "html" and options.mode not in _NOT_FILTERED
    if options.grep is not None and is_filtered:
        output = filter_output(output, options.grep)
    if root.warning:
        report = attrs.evolve(report, warnings=[*report.warnings, root.warning])
    return output, report


async def _survey(
    tab: Tab, root: DocumentNode, options: ObserveOptions, early: EarlySurvey | None = None
) -> tuple[ModeOutput, ModeReport]:
    with span("capture_snapshot", tab_id=tab.record.id):
        found = await survey(tab, root, options.survey, early)
    clickable = tab.clickable if options.all_refs else frozenset[int]()
    with span("format_snapshot", tab_id=tab.record.id):
        output = _FORMATS[options.mode](found, options, clickable)
    tab.record.refs.begin_answer()
    if options.mode in _TABULATING:
        shown = tab.record.ids.describe_now
        tab.record.refs.replace_table(tab.place(0).context, output.targets, shown)
    return output, _build_report(found, output, options)


async def _read_head(tab: Tab, look: Look, root: DocumentNode) -> tuple[ModeOutput, ModeReport]:
    view = look.snapshot.view
    facts = await ask_node(tab, root, "head")
    framed = sum(frame.capture.elements for frame in tab.frames.shown() if frame.capture)
    elements = facts["total"] + framed
    controls = _count_controls(view)
    output = head(facts, elements=elements, controls=controls)
    report = ModeReport(
        url=facts["url"],
        viewport=tuple(facts["viewport"]),
        elements=elements,
        total=controls,
        captured=controls,
        is_blank=not view.lines,
        has_content=bool(view.lines),
    )
    return output, report


def _count_controls(view: PageView) -> int:
    """Return the number of visible interactive elements, in the viewport or not."""
    kinds = Counter(one.type for one in view.interactive if one.state.get("visible", True))
    for (_, kind), count in view.uncaptured.items():
        kinds[kind] += count
    return kinds.total() - kinds[_CLICKABLE]


async def _read_html(tab: Tab, look: Look, root: DocumentNode) -> tuple[ModeOutput, ModeReport]:
    view = look.snapshot.view
    html: str = (await ask_node(tab, root, "html"))["html"]
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


def _get_style(options: ObserveOptions) -> InlineStyle:
    return InlineStyle(
        markdown=options.format == "markdown",
        values=True,
        links=options.include_links,
        images=options.include_images,
    )


_Format = Callable[[Survey, ObserveOptions, frozenset[int]], ModeOutput]

_FORMATS: Mapping[str, _Format] = {
    "tree": lambda found, options, clickable: tree(
        found, all_refs=options.all_refs, clickable=clickable, grep=options.grep
    ),
    "structure": lambda found, options, _: structure(found, max_lines=options.max_lines),
    "content": lambda found, options, _: content(
        found, _get_style(options), options.grep, max_length=options.max_length
    ),
    "outline": lambda found, _, __: outline(found),
    "interactive": lambda found, _, clickable: interactive(found, clickable),
    "all": lambda found, _, clickable: everything(found, clickable),
}


def _build_report(found: Survey, output: ModeOutput, options: ObserveOptions) -> ModeReport:
    grep: list[str] = options.grep.warnings() if options.grep else []
    controls = sum(element.is_interactive for element in found.elements())
    total, captured = output.counted or (controls, controls)
    return ModeReport(
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


@attrs.frozen(kw_only=True)
class Filters:
    """Filters that must all match; None for those not given. ``near`` and ``within`` are ids."""

    text: str | None = None
    role: str | None = None
    type: str | None = None
    near: str | None = None
    within: str | None = None
    selector: str | None = None


@attrs.frozen
class SearchResult:
    """Elements, or the matches of a selector; ``texts`` are other places with the text."""

    found: Sequence[Element | Match]
    texts: Sequence[Match] = ()


async def search(tab: Tab, filters: Filters) -> SearchResult:
    """Search the page; without a role or type, also for the text outside of elements."""
    query = Query(
        text=filters.text,
        role=filters.role,
        type=filters.type,
        near=await _find_reference(tab, filters.near),
        within=await _find_reference(tab, filters.within),
        redact=tab.record.session.hidden,
    )
    if filters.selector is not None:
        return SearchResult(await _select(tab, filters.selector, query))
    elements = find_elements(await tab.view_of_all(), query)
    if filters.text is None or filters.role is not None or filters.type is not None:
        return SearchResult(elements)
    texts = await tab.find_texts(filters.text, elements)
    return SearchResult(elements, filter_by_position(texts, query))


async def find_invalid(tab: Tab, references: Sequence[str]) -> dict[str, str]:
    """Return the reason by reference, for all references that lead to no element."""
    return await tab.references.reasons_against(references)


async def _select(tab: Tab, selector: str, query: Query) -> list[Match]:
    """Return the matches of a selector that pass the other filters, with their elements."""
    elements = {element.id: element for element in (await tab.view_of_all()).interactive}
    given = (query.text, query.role, query.type, query.near, query.within)
    is_filtered = any(value is not None for value in given)
    text = query.text or "" if is_filtered else None
    ids = tab.record.ids
    found = [
        attrs.evolve(match, element=elements.get(ids.get_id(match.place.nid) or ""))
        for match in await tab.find_matches(selector, text=text)
    ]
    return filter_matches(found, query) if is_filtered else found


async def _find_reference(tab: Tab, name: str | None) -> Anchor | None:
    if name is None:
        return None
    box = (await tab.on_element(name, "box"))["box"]
    if not box:
        raise InvalidArgument(
            f"{name} has no bounds: nothing can be near to it or within it.",
            "Name something that is visible, or find by text instead.",
        )
    place = await tab.references.place(name)
    return Anchor(tab.record.ids.get_id(place.nid) or name, Bounds(*box), place)
