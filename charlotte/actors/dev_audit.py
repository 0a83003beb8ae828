"""Audits of a tab's page and frames, and the elements of their findings."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import attrs
import trio

from charlotte.actors.dispatcher import AgentSession
from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.frames import SeenFrame
from charlotte.actors.tab.site_data import hidden_page
from charlotte.browser.isolated_world import GONE, answer_of
from charlotte.dev.audit_data import Follower, unused_styles
from charlotte.dev.audits.facts import AxeReport, Document, Reached, Timings, expression, read
from charlotte.dev.audits.findings import Category, Finding, axe_findings, ranked, summary
from charlotte.dev.audits.links import addresses, links
from charlotte.dev.audits.performance import performance
from charlotte.dev.audits.seo import seo
from charlotte.errors import TabHung
from charlotte.page.capture import compose_number
from charlotte.page.identity.references import Match
from charlotte.progress import stage
from charlotte.protocol.runtime import Evaluate

T = TypeVar("T")

MOST_LINKS = 50
_LOOK_TAKES = 20.0
_FRAME_TAKES = 5.0
_LINKS_TAKE = 60.0

Documents = Mapping[SeenFrame, Document]
"""Documents by frame, the main frame first."""


@attrs.define
class Audit:
    """Findings of an audit, and the numbers of elements, texts, links and so on it covered.

    ``summary`` counts all findings, also those that ranking leaves out.
    """

    summary: str = ""
    findings: list[Finding] = attrs.field(factory=list[Finding])
    looked_at: dict[str, int] = attrs.field(factory=dict[str, int])
    notes: list[str] = attrs.field(factory=list[str])


async def audit(tab: Tab, session: AgentSession, categories: Sequence[Category]) -> Audit:
    """Audit the page of a tab with its frames, without changing it."""
    made = Audit()
    await tab.view()
    script = expression("elements")
    frames = [frame for frame, _ in tab.frames.placed()]
    asked = {frame: await _seen(tab, frame, script, Document) for frame in frames}
    documents = {frame: document for frame, document in asked.items() if document is not None}
    made.looked_at["elements"] = sum(one.nodes for one in documents.values())
    if left := sum(one.left for one in documents.values()):
        made.notes.append(f"{left} elements were beyond the limit and not audited.")
    for category in categories:
        stage(f"{category} of {tab.record.id}")
        await _AUDITS[category](tab, session, documents, made)
    if left := 1 + len(tab.frames.shown()) - len(documents):
        made.notes.append(f"{left} frames did not answer and were not audited.")
    return made


async def audit_elements(tab: Tab, session: AgentSession, categories: Sequence[Category]) -> Audit:
    """Audit the tab's page; rank the findings, and give each the id of its element."""
    made = await audit(tab, session, categories)
    made.summary = summary(made.findings)
    found = ranked(made.findings)
    elements = await elements_of(tab, found)
    made.findings = [attrs.evolve(each, element=elements.get(each.nid or 0)) for each in found]
    return made


async def _seen(tab: Tab, frame: SeenFrame, script: str, kind: type[T]) -> T | None:
    """Return what a script sees in a frame; None if it is a subframe that does not answer."""
    if frame is tab.frames.main:
        return await _seen_in_page(tab, script, kind)
    with trio.move_on_after(_FRAME_TAKES), suppress(*GONE):
        world = frame.world
        asked = await world.begin(_look(script, world.context))
        seen: T = read(answer_of(await asked.result()), kind)
        return seen
    return None


async def _seen_in_page(tab: Tab, script: str, kind: type[T]) -> T:
    context = await tab.page.world.current()
    async with tab.page.answering(_LOOK_TAKES):
        evaluated = await tab.page.session.call(_look(script, context))
    seen: T = read(answer_of(evaluated), kind)
    return seen


def _look(script: str, context: str) -> Evaluate:
    return Evaluate(
        expression=script,
        unique_context_id=context,
        return_by_value=True,
        await_promise=True,
    )


def _placed(frame: SeenFrame, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings of a frame with node numbers that are unique in the page."""
    for one in findings:
        yield (
            one if one.nid is None else attrs.evolve(one, nid=compose_number(frame.number, one.nid))
        )


async def _accessibility(tab: Tab, _: AgentSession, __: Documents, made: Audit) -> None:
    for frame, report in (await _axe_reports(tab, made, "a11y")).items():
        made.findings += _placed(frame, axe_findings(report, "a11y"))


async def _contrast(tab: Tab, _: AgentSession, __: Documents, made: Audit) -> None:
    reports = await _axe_reports(tab, made, "contrast")
    for frame, report in reports.items():
        made.findings += _placed(frame, axe_findings(report, "contrast"))
    made.looked_at["texts"] = sum(report.texts for report in reports.values())
    if unknown := sum(report.unknown for report in reports.values()):
        made.notes.append(
            f"The contrast of {unknown} texts is unknown: they are on images, or partly covered."
        )


async def _axe_reports(tab: Tab, made: Audit, category: Category) -> Mapping[SeenFrame, AxeReport]:
    """Run axe-core in all frames from the main frame inwards; a time-out becomes a note."""
    reports: dict[SeenFrame, AxeReport] = {}
    grounds: dict[int, Mapping[str, str]] = {}
    for frame, _ in tab.frames.placed():
        asked = {"contrast": category == "contrast", "behind": grounds.get(frame.number)}
        try:
            report = await _seen(tab, frame, expression("axe", asked), AxeReport)
        except TabHung:
            await tab.page.end_script()
            made.notes.append(f"axe-core did not finish in time: {category} was not checked.")
            return {}
        if report is not None:
            reports[frame] = report
            for nid, child in frame.children.items():
                grounds[child.number] = report.grounds.get(nid, {})
    return reports


async def _seo(tab: Tab, _: AgentSession, documents: Documents, made: Audit) -> None:
    made.findings += seo(documents[tab.frames.main])


async def _performance(tab: Tab, _: AgentSession, documents: Documents, made: Audit) -> None:
    document = documents[tab.frames.main]
    timings = await _seen_in_page(tab, expression("timings"), Timings)
    async with tab.page.beside() as session, tab.page.answering(_LOOK_TAKES):
        sheets = await unused_styles(session)
    made.looked_at["resources"] = len(timings.resources)
    made.looked_at["style_sheets"] = len(sheets)
    made.findings += performance(timings, sheets, document.nodes)


async def _links(tab: Tab, session: AgentSession, documents: Documents, made: Audit) -> None:
    urls = list(dict.fromkeys(url for one in documents.values() for url in addresses(one)))
    followed: list[str] = []
    for url in urls:
        if len(followed) == MOST_LINKS:
            break
        if await tab.record.session.refusal(url) is None:
            followed.append(url)
    reached = await _follow(tab, session, followed) if followed else {}
    made.looked_at["links"] = len(reached)
    if left := len(urls) - len(reached):
        made.notes.append(f"{left} of {len(urls)} addresses were not followed.")
    for frame, document in documents.items():
        made.findings += _placed(frame, links(document, reached))


async def _follow(tab: Tab, session: AgentSession, urls: Sequence[str]) -> dict[str, Reached]:
    """Request URLs in a hidden page, so that the tab's own page makes no requests."""
    reached: list[Reached] = []

    def report(count: int) -> None:
        stage(f"links: {count} of {len(urls)}")

    context_id = await tab.page.context()
    async with hidden_page(tab.page.root, session.open_hidden, context_id) as hidden:
        with trio.move_on_after(_LINKS_TAKE):
            reached = await Follower(hidden).follow(urls, report)
    return {one.url: one for one in reached}


_AUDITS: dict[Category, Callable[..., Any]] = {
    "a11y": _accessibility,
    "performance": _performance,
    "seo": _seo,
    "contrast": _contrast,
    "links": _links,
}


async def elements_of(tab: Tab, findings: Sequence[Finding]) -> dict[int, str]:
    """Return ids for the elements of findings, by node."""
    return {
        finding.nid: await _element_of(tab, finding.nid)
        for finding in findings
        if finding.nid is not None
    }


async def _element_of(tab: Tab, nid: int) -> str:
    if known := tab.record.ids.get_id(nid):
        tab.record.ids.note_shown([known])
        return known
    place = tab.place(nid)
    survey = await tab.frames.ask_node(place, "surveyed") or {}
    tag = str(survey.get("tag", "*"))
    match = Match(place=place, selector=tag, tag=tag, text=str(survey.get("name", "")), bounds=None)
    return tab.record.dom.identify(match)
