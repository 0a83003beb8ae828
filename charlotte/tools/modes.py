"""Answers of observe that are text: a mode's lines, and one line of JSON about them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import attrs

from charlotte.actors.snapshots import Snapshot
from charlotte.actors.surveys import asked, refs_of, survey
from charlotte.actors.tab import Look, Tab
from charlotte.errors import ElementNotFound, InvalidArgument
from charlotte.page.cut import Cursor, compact
from charlotte.page.dom_book import Place
from charlotte.page.modes.content import ContentStyle, content, texts_of
from charlotte.page.modes.controls import everything, interactive
from charlotte.page.modes.grep import Grep, filtered, filtered_tree
from charlotte.page.modes.head import head
from charlotte.page.modes.lines import Line, Told
from charlotte.page.modes.outline import outline
from charlotte.page.modes.rendering import fitting, text_of
from charlotte.page.modes.report import Report
from charlotte.page.modes.structure import structure
from charlotte.page.modes.survey import Survey
from charlotte.page.modes.tree import tree
from charlotte.page.references import is_reference
from charlotte.page.scope import scoped
from charlotte.tools.answer import Answer, Text
from charlotte.tools.arguments import reader
from charlotte.tools.pages import news_of, page_of
from charlotte.tools.results import Page

Mode = Literal["page", "tree", "interactive", "structure", "outline", "content", "all", "head"]

Format = Literal["lines", "markdown", "html"]

DEEPEST = 200
_TABULATING = {"interactive", "outline", "all"}
_RAW = "Raw HTML format - no filtering or ref generation applied"
_DEFAULT_DEPTH = 50

_grep_of = reader(Grep)


def read_grep(value: Any) -> object:
    """A pattern alone, or one with options."""
    return Grep(pattern=value) if isinstance(value, str) else _grep_of(value)


@attrs.frozen(kw_only=True)
class Wish:
    """What an agent wants to see, and how."""

    mode: Mode
    selector: str | None = None
    grep: Grep | None = None
    include_hidden: bool = False
    all_refs: bool = False
    max_depth: int | None = None
    max_lines: int = 100
    format: Format = "lines"
    content: ContentStyle
    max_chars: int

    @property
    def options(self) -> dict[str, object]:
        """What the probe is asked for."""
        depth = self.max_depth or (DEEPEST if self.mode == "tree" else _DEFAULT_DEPTH)
        return {"depth": depth, "hidden": self.include_hidden}


def check_format(mode: Mode, format_: Format) -> None:
    """B-FMT-03: raises `InvalidArgument` for Markdown of something else than content."""
    if format_ == "markdown" and mode != "content":
        raise InvalidArgument(
            f"format markdown is for mode content, not for mode {mode}.",
            'Pass mode="content" with it, or leave format out.',
        )


async def text_answer(tab: Tab, look: Look, wish: Wish) -> Answer[Page]:
    """The page in a mode that is text; ``look`` is the snapshot that goes with it."""
    root = await _root(tab, wish.selector)
    if wish.format == "html":
        told, report = await _html(tab, look, root)
    elif wish.mode == "head":
        told, report = await _head(tab, root)
    else:
        told, report = await _surveyed(tab, root, wish)
    if wish.grep is not None and wish.format != "html" and wish.mode != "content":
        told = (filtered_tree if wish.mode == "tree" else filtered)(told, wish.grep)
    return await _sent(tab, look, wish, told, report)


async def scoped_look(tab: Tab, look: Look, selector: str) -> Look:
    """The part of a look that lies in an element; it is no snapshot that could be continued."""
    found = await survey(tab, await _root(tab, selector), {"depth": DEEPEST})
    numbers = {part.nid for part in found.parts()}
    view = scoped(look.snapshot.view, tab.record.ids, numbers, texts_of(found))
    return attrs.evolve(look, snapshot=Snapshot(0, look.snapshot.timestamp, view))


async def _surveyed(tab: Tab, root: Place, wish: Wish) -> tuple[Told, Report]:
    found = await survey(tab, root, wish.options)
    clickable = tab.clickable if wish.all_refs else frozenset[int]()
    told = _TELL[wish.mode](found, wish, clickable)
    tab.record.refs.begin()
    if wish.mode in _TABULATING:
        tab.record.refs.tabulate(tab.place(0).context, told.given)
    return told, _report(found, told, wish)


async def _head(tab: Tab, root: Place) -> tuple[Told, Report]:
    facts = await asked(tab, root, "head")
    told = head(facts)
    report = Report(
        url=facts["url"],
        viewport=tuple(facts["viewport"]),
        elements=facts["total"],
        total=told.total,
        captured=told.captured,
    )
    return told, report


async def _html(tab: Tab, look: Look, root: Place) -> tuple[Told, Report]:
    view = look.snapshot.view
    html: str = (await asked(tab, root, "html"))["html"]
    count = len(view.interactive)
    report = Report(
        url=view.url,
        viewport=view.viewport,
        elements=html.count("</"),
        total=count,
        captured=count,
        warnings=[_RAW],
    )
    return Told(header=(), lines=[Line(line) for line in html.split("\n")]), report


_Tell = Callable[[Survey, Wish, frozenset[int]], Told]

_TELL: Mapping[str, _Tell] = {
    "tree": lambda found, wish, clickable: tree(found, all_refs=wish.all_refs, clickable=clickable),
    "structure": lambda found, wish, _: structure(found, max_lines=wish.max_lines),
    "content": lambda found, wish, _: content(found, wish.content, wish.grep),
    "outline": lambda found, _, __: outline(found),
    "interactive": lambda found, _, clickable: interactive(found, clickable),
    "all": lambda found, _, clickable: everything(found, clickable),
}


async def _root(tab: Tab, selector: str | None) -> Place:
    """The node that scopes a mode; raises `ElementNotFound`."""
    if selector is None:
        return tab.place(0)
    if is_reference(selector):
        return await tab.references.place(selector)
    matches = await tab.query(selector)
    if not matches:
        raise ElementNotFound(
            f"No element matches {selector[:100]!r}.", "Observe the page, or correct the selector."
        )
    return matches[0].place


def _report(found: Survey, told: Told, wish: Wish) -> Report:
    return Report(
        url=found.url,
        viewport=found.viewport,
        elements=sum(1 for _ in found.parts()),
        total=max(told.total, found.controls),
        captured=told.captured,
        depth_limited=found.cut,
        warnings=[*told.warnings, *(wish.grep.warnings() if wish.grep else ())],
    )


async def _sent(tab: Tab, look: Look, wish: Wish, told: Told, report: Report) -> Answer[Page]:
    count = fitting(told.header, told.lines, wish.max_chars)
    refs = await refs_of(tab, [line.given for line in told.lines[:count] if line.given])
    text = text_of(told.header, told.lines[:count], told.notes, refs)
    news, delivered = news_of(tab.record)
    about: dict[str, Any] = {"snapshot_id": look.snapshot.id, "metadata": report.as_json()}
    about |= {"tab_id": tab.record.id, **news}
    if count < len(told.lines):
        number = tab.record.told.keep(told.lines)
        about["truncation"] = _truncation(told.lines, number, 0, count)
    return _blocks(about, page_of(tab.record, look, text), delivered)


async def more_lines(tab: Tab, place: Cursor, max_chars: int) -> Answer[Page]:
    """The lines that follow those of a cut answer."""
    lines = tab.record.told.get(place.snapshot_id)
    rest = lines[place.offset :]
    count = fitting((), rest, max_chars)
    refs = await refs_of(tab, [line.given for line in rest[:count] if line.given])
    about: dict[str, Any] = {"tab_id": tab.record.id}
    if count < len(rest):
        about["truncation"] = _truncation(lines, place.snapshot_id, place.offset, count)
    record, text = tab.record, text_of((), rest[:count], (), refs)
    page = Page(tab_id=record.id, url=record.url, title=record.title, told=text)
    return _blocks(about, page, lambda: None)


def _truncation(lines: Sequence[Line], number: int, offset: int, count: int) -> dict[str, Any]:
    return {
        "part": "lines",
        "total": len(lines),
        "returned": count,
        "next_cursor": str(Cursor(number, "lines", offset + count)),
    }


def _blocks(about: dict[str, Any], page: Page, delivered: Callable[[], None]) -> Answer[Page]:
    """Block 2 says of block 1 that the page wrote it, and how long it is (surface section 7)."""
    about |= {"untrusted": True, "length": len(page.told)}
    blocks = Text(page.told), Text(compact(about))
    return Answer(blocks, {"tab_id": page.tab_id}, delivered=delivered, value=page)
