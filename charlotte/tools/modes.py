"""Answers of observe that are text: what each mode tells of the page."""

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import islice

import attrs

from charlotte.actors.tab.actor import Look, Tab
from charlotte.actors.tab.element_info import rows_of
from charlotte.actors.tab.kept_tree import KeptTree, watch_stillness
from charlotte.actors.tab.tree_capture import Ahead, asked, survey
from charlotte.log import span, trace
from charlotte.page.identity.dom_book import DocumentNode
from charlotte.page.model import PageView
from charlotte.page.modes.content import block_texts, content
from charlotte.page.modes.controls import everything, interactive
from charlotte.page.modes.grep import filter_output
from charlotte.page.modes.lines import ModeOutput, OutputLine
from charlotte.page.modes.outline import outline
from charlotte.page.modes.report import FEW_ELEMENTS, ModeReport, head
from charlotte.page.modes.structure import structure
from charlotte.page.modes.survey import Survey
from charlotte.page.modes.tree import tree
from charlotte.page.view import add_styles, mark_in_viewport, narrow_view
from charlotte.tools.answer import Answer
from charlotte.tools.observe_options import DEEPEST, Wish
from charlotte.tools.results import Page
from charlotte.tools.scoping import Scope, scope_of
from charlotte.tools.telling import Telling, sent

_CLICKABLE = "clickable"
_TABULATING = {"interactive", "outline", "all"}
_NOT_FILTERED = {"head", "content", "tree"}
"""Modes that filter by themselves, as content does whole sections; of a head, nothing is."""

_RAW = "Raw HTML format - no filtering or ref generation applied"


async def text_answer(tab: Tab, look: Look, wish: Wish) -> Answer[Page]:
    """The page in a mode that is text; ``look`` is the snapshot that goes with it."""
    told, report = await _told(tab, look, wish)
    return await sent(tab, Telling(look, told, report, wish))


async def plain_tree(tab: Tab, wish: Wish) -> Answer[Page]:
    """The tree without any option; if nothing has happened since the last one, that one again."""
    kept = tab.kept_tree
    if kept is None or not kept.stillness.lasts:
        trace("snapshot cache miss", tab_id=tab.record.id)
        look, told, report = await _fresh_tree(tab, wish)
    else:
        trace("snapshot cache hit", tab_id=tab.record.id)
        tab.record.refs.begin()
        look, told, report = kept.look, kept.told, attrs.evolve(kept.report, cached=True)
    return await sent(tab, Telling(look, told, report, wish))


async def _fresh_tree(tab: Tab, wish: Wish) -> tuple[Look, ModeOutput, ModeReport]:
    await tab.page.present()
    stillness = await watch_stillness(tab.page)
    ahead = Ahead(tab, wish.options)
    look = await tab.look("observe", ahead.begin)
    told, report = await _surveyed(tab, tab.place(0), wish, ahead)
    tab.kept_tree = KeptTree(look, told, report, stillness) if stillness else None
    return look, told, report


async def _told(tab: Tab, look: Look, wish: Wish) -> tuple[ModeOutput, ModeReport]:
    scope = await scope_of(tab, wish.selector)
    told, report = await _told_of(tab, look, wish, scope.root)
    if scope.warning:
        report = attrs.evolve(report, warnings=[*report.warnings, scope.warning])
    return told, report


async def _told_of(
    tab: Tab, look: Look, wish: Wish, root: DocumentNode
) -> tuple[ModeOutput, ModeReport]:
    if wish.format == "html":
        return await _html(tab, look, root)
    if wish.mode == "head":
        told, report = await _head(tab, look, root)
    else:
        told, report = await _surveyed(tab, root, wish)
    if wish.grep is not None and wish.mode not in _NOT_FILTERED:
        told = filter_output(told, wish.grep)
    return told, report


async def retold(tab: Tab, look: Look, wish: Wish, scope: Scope) -> Look:
    """A look with the part of the page that is wanted, and what else is to be said of elements."""
    view = look.snapshot.view
    if wish.selector is not None:
        found = await survey(tab, scope.root, {**wish.options, "depth": DEEPEST, "hidden": False})
        numbers = {part.nid for part in found.elements()}
        view = narrow_view(view, tab.record.ids, numbers, block_texts(found))
    if wish.include_styles:
        resolved = [tab.record.ids.resolve(one.id) for one in view.interactive]
        styles = await rows_of(tab, "styles", filter(None, resolved))
        view = add_styles(view, tab.record.ids, styles)
    if wish.detail == "full":
        view = mark_in_viewport(view)
    return attrs.evolve(look, snapshot=attrs.evolve(look.snapshot, view=view))


async def _surveyed(
    tab: Tab, root: DocumentNode, wish: Wish, ahead: Ahead | None = None
) -> tuple[ModeOutput, ModeReport]:
    with span("capture_snapshot", tab_id=tab.record.id):
        found = await survey(tab, root, wish.options, ahead)
    clickable = tab.clickable if wish.all_refs else frozenset[int]()
    with span("format_snapshot", tab_id=tab.record.id):
        told = _TELL[wish.mode](found, wish, clickable)
    tab.record.refs.begin()
    if wish.mode in _TABULATING:
        shown = tab.record.ids.describe_now
        tab.record.refs.replace_table(tab.place(0).context, told.targets, shown)
    return told, _report(found, told, wish)


async def _head(tab: Tab, look: Look, root: DocumentNode) -> tuple[ModeOutput, ModeReport]:
    view = look.snapshot.view
    facts = await asked(tab, root, "head")
    framed = sum(frame.capture.elements for frame in tab.frames.shown() if frame.capture)
    elements = facts["total"] + framed
    told = head(facts, elements=elements, controls=_controls(view))
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


def _controls(view: PageView) -> int:
    """How many interactive elements can be seen, wherever they lie."""
    kinds = Counter(one.type for one in view.interactive if one.state.get("visible", True))
    for (_, kind), count in view.uncaptured.items():
        kinds[kind] += count
    return kinds.total() - kinds[_CLICKABLE]


async def _html(tab: Tab, look: Look, root: DocumentNode) -> tuple[ModeOutput, ModeReport]:
    view = look.snapshot.view
    html: str = (await asked(tab, root, "html"))["html"]
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


_Tell = Callable[[Survey, Wish, frozenset[int]], ModeOutput]

_TELL: Mapping[str, _Tell] = {
    "tree": lambda found, wish, clickable: tree(
        found, all_refs=wish.all_refs, clickable=clickable, grep=wish.grep
    ),
    "structure": lambda found, wish, _: structure(found, max_lines=wish.max_lines),
    "content": lambda found, wish, _: content(found, wish.content, wish.grep),
    "outline": lambda found, _, __: outline(found),
    "interactive": lambda found, _, clickable: interactive(found, clickable),
    "all": lambda found, _, clickable: everything(found, clickable),
}


def _report(found: Survey, told: ModeOutput, wish: Wish) -> ModeReport:
    grep: list[str] = wish.grep.warnings() if wish.grep else []
    return ModeReport(
        url=found.url,
        viewport=found.viewport,
        elements=sum(1 for _ in islice(found.elements(), FEW_ELEMENTS)),
        total=max(told.total, found.controls),
        captured=told.captured,
        is_blank=not any(found.texts()),
        has_content=len(told.lines) > (wish.mode == "tree"),
        depth_limited=found.cut,
        warnings=[*told.warnings, *grep],
    )
