"""Audits of a tab's page: what is looked at, and where each finding is on the page."""

from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import attrs
import trio

from charlotte.actors.session import AgentSession
from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.frame_settle import all_frames
from charlotte.actors.tab.frame_tree import SeenFrame
from charlotte.browser.isolated_world import answer_of
from charlotte.browser.remote_nodes import GONE
from charlotte.dev.audits.accessibility import accessibility
from charlotte.dev.audits.axe import axe_source, by_axe
from charlotte.dev.audits.contrast import contrast, on_ground
from charlotte.dev.audits.facts import AxeReport, Document, Ground, Reached, Texts, Timings, read
from charlotte.dev.audits.findings import Category, Finding
from charlotte.dev.audits.links import addresses, links
from charlotte.dev.audits.performance import performance
from charlotte.dev.audits.scripts import Script, expression
from charlotte.dev.audits.seo import seo
from charlotte.dev.coverage import unused_styles
from charlotte.dev.following import Follower
from charlotte.errors import TabHung
from charlotte.page.frames import composed
from charlotte.page.identity.dom_book import Match
from charlotte.progress import stage
from charlotte.protocol.runtime import Evaluate
from charlotte.protocol.target import CloseTarget

T = TypeVar("T")

MOST_LINKS = 50
_LOOK_TAKES = 20.0
_FRAME_TAKES = 5.0
_LINKS_TAKE = 60.0

Documents = Mapping[SeenFrame, Document]
"""The main frame's first."""


@attrs.define
class Audit:
    """What was found, and how much was looked at: texts, links and so on by their number."""

    findings: list[Finding] = attrs.field(factory=list[Finding])
    looked_at: dict[str, int] = attrs.field(factory=dict[str, int])
    notes: list[str] = attrs.field(factory=list[str])


async def audit(tab: Tab, session: AgentSession, categories: Sequence[Category]) -> Audit:
    """Look at the tab's page, with its frames; nothing on it is touched."""
    made = Audit()
    await tab.view()
    documents = await _in_frames(tab, "elements", Document)
    _tell_of(documents.values(), made)
    for category in categories:
        stage(f"{category} of {tab.record.id}")
        await _AUDITS[category](tab, session, documents, made)
    if left := 1 + len(tab.frames.shown()) - len(documents):
        made.notes.append(f"{left} frames could not be looked into.")
    return made


def _tell_of(documents: Iterable[Document], made: Audit) -> None:
    made.looked_at["elements"] = sum(len(one.elements) for one in documents)
    if left := sum(one.left for one in documents):
        made.notes.append(f"{left} elements were too many to look at.")


async def _in_frames(tab: Tab, script: Script, kind: type[T]) -> dict[SeenFrame, T]:
    """What a script sees, from the main frame inwards; without frames that do not answer."""
    main = tab.frames.main
    seen = {main: await _seen(tab, script, kind)}
    for frame, _ in all_frames(tab.frames):
        if frame is not main:
            with trio.move_on_after(_FRAME_TAKES), suppress(*GONE):
                world = frame.world
                asked = await world.begin(_look(script, world.context))
                seen[frame] = read(answer_of(await asked.result()), kind)
    return seen


async def _seen(tab: Tab, script: Script, kind: type[T]) -> T:
    context = await tab.page.world.current()
    async with tab.page.answering(_LOOK_TAKES):
        evaluated = await tab.page.session.call(_look(script, context))
    seen: T = read(answer_of(evaluated), kind)
    return seen


def _look(script: Script, context: str) -> Evaluate:
    return Evaluate(
        expression=expression(script),
        unique_context_id=context,
        return_by_value=True,
        await_promise=True,
    )


def _placed(frame: SeenFrame, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Findings in a frame, whose nodes have numbers of the whole page's."""
    for one in findings:
        yield one if one.nid is None else attrs.evolve(one, nid=composed(frame.number, one.nid))


async def _accessibility(tab: Tab, _: AgentSession, documents: Documents, made: Audit) -> None:
    reports = await _by_axe(tab, made)
    for frame, document in documents.items():
        report = reports.get(frame)
        own = accessibility(document, framed=frame.parent is not None)
        made.findings += _placed(frame, by_axe(report) if report else own)


async def _by_axe(tab: Tab, made: Audit) -> Mapping[SeenFrame, AxeReport]:
    """What axe-core says, if it is installed and comes to an end; it is told in the notes."""
    if axe_source() is None:
        return {}
    try:
        reports = await _in_frames(tab, "axe", AxeReport)
    except TabHung:
        await tab.page.end_script()
        made.notes.append("axe-core did not finish in time; the built-in checks were made.")
        return {}
    made.notes.append(f"Accessibility by axe-core {reports[tab.frames.main].version}.")
    return reports


async def _seo(tab: Tab, _: AgentSession, documents: Documents, made: Audit) -> None:
    made.findings += seo(documents[tab.frames.main])


async def _contrast(tab: Tab, _: AgentSession, __: Documents, made: Audit) -> None:
    grounds, on_images = dict[int, Ground](), 0
    seen = await _in_frames(tab, "texts", Texts)
    for frame, alone in seen.items():
        texts = on_ground(grounds.get(frame.number, Ground()), alone)
        for nid, child in frame.children.items():
            grounds[child.number] = texts.frames.get(nid, Ground())
        made.findings += _placed(frame, contrast(texts))
        on_images += sum(look.count for look in texts.rows if look.image)
    made.looked_at["texts"] = sum(texts.count for texts in seen.values())
    if on_images:
        made.notes.append(f"The contrast of {on_images} texts on images was left to the eye.")


async def _performance(tab: Tab, _: AgentSession, documents: Documents, made: Audit) -> None:
    document = documents[tab.frames.main]
    timings = await _seen(tab, "timings", Timings)
    async with tab.page.beside() as session, tab.page.answering(_LOOK_TAKES):
        sheets = await unused_styles(session)
    made.looked_at["resources"] = len(timings.resources)
    made.looked_at["style_sheets"] = len(sheets)
    made.findings += performance(timings, sheets, document.nodes)


async def _links(tab: Tab, session: AgentSession, documents: Documents, made: Audit) -> None:
    urls = list(dict.fromkeys(url for one in documents.values() for url in addresses(one)))
    followed = await _allowed(tab, urls, MOST_LINKS)
    reached = await _followed(tab, session, followed) if followed else {}
    made.looked_at["links"] = len(reached)
    if left := len(urls) - len(reached):
        made.notes.append(f"{left} of {len(urls)} addresses were not followed.")
    for frame, document in documents.items():
        made.findings += _placed(frame, links(document, reached))


async def _allowed(tab: Tab, urls: Sequence[str], most: int) -> list[str]:
    """The first addresses that a tab may be sent to."""
    allowed: list[str] = []
    for url in urls:
        if len(allowed) == most:
            break
        if await tab.record.session.refusal(url) is None:
            allowed.append(url)
    return allowed


async def _followed(tab: Tab, session: AgentSession, urls: Sequence[str]) -> dict[str, Reached]:
    reached: list[Reached] = []

    def tell(count: int) -> None:
        stage(f"links: {count} of {len(urls)}")

    async with _page_of_its_own(tab, session) as follower:
        with trio.move_on_after(_LINKS_TAKE):
            reached = await follower.follow(urls, tell)
    return {one.url: one for one in reached}


@asynccontextmanager
async def _page_of_its_own(tab: Tab, session: AgentSession) -> AsyncGenerator[Follower]:
    """A hidden page in the tab's context, for what the tab's own must not be seen to ask."""
    target_id, hidden = await session.open_hidden(await tab.page.context())
    try:
        yield Follower(hidden)
    finally:
        with trio.CancelScope(shield=True):  # only sent
            await tab.page.root.begin(CloseTarget(target_id=target_id))


_AUDITS: dict[Category, Callable[..., Any]] = {
    "a11y": _accessibility,
    "performance": _performance,
    "seo": _seo,
    "contrast": _contrast,
    "links": _links,
}


async def elements_of(tab: Tab, findings: Sequence[Finding]) -> dict[int, str]:
    """An id for the element of each finding that has one, which other tools take."""
    return {
        finding.nid: await _element_of(tab, finding.nid)
        for finding in findings
        if finding.nid is not None
    }


async def _element_of(tab: Tab, nid: int) -> str:
    if known := tab.record.ids.of(nid):
        tab.record.ids.show([known])
        return known
    place = tab.place(nid)
    told = await tab.on_place(place, "surveyed") or {}
    tag = str(told.get("tag", "*"))
    match = Match(place=place, selector=tag, tag=tag, text=str(told.get("name", "")), bounds=None)
    return tab.record.dom.identify(match)
