"""Audits of a tab's page and frames, and the elements of their findings."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import attrs
import trio

from charlotte.actors.dispatcher import AgentSession
from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.page.frames import SeenFrame
from charlotte.actors.tab.site_data import hidden_page
from charlotte.base.errors import TabHung
from charlotte.base.progress import stage
from charlotte.browser.world.isolated_world import GONE, answer_of
from charlotte.dev.audits import facts, findings
from charlotte.dev.audits.findings import Category, Finding
from charlotte.page.capture import compose_number
from charlotte.page.identity.references import Match
from charlotte.protocol.connection import open_session
from charlotte.protocol.runtime import Evaluate

MOST_LINKS = 50
_LOOK_TAKES = 20.0


@attrs.define
class Audit:
    """Findings of an audit, and the numbers of elements, texts, links and so on it covered.

    ``summary`` counts all findings, also those that ranking leaves out.
    """

    tab_id: str = ""
    summary: str = ""
    findings: list[Finding] = attrs.field(factory=list[Finding])
    looked_at: dict[str, int] = attrs.field(factory=dict[str, int])
    notes: list[str] = attrs.field(factory=list[str])


async def audit(tab: TabActor, session: AgentSession, categories: Sequence[Category]) -> Audit:
    """Audit the page of a tab with its frames, without changing it; rank and name the findings."""
    await tab.view()
    asked = {
        frame: await _look(tab, frame, facts.expression("elements"), facts.Document)
        for frame in [frame for frame, _ in tab.frames.placed()]
    }
    documents = {frame: document for frame, document in asked.items() if document is not None}
    auditor = _Auditor(tab, session, documents)
    made = auditor.made
    made.tab_id = tab.record.id
    made.looked_at["elements"] = sum(one.nodes for one in documents.values())
    if left := sum(one.left for one in documents.values()):
        made.notes.append(f"{left} elements were beyond the limit and not audited.")
    for category in categories:
        stage(f"{category} of {tab.record.id}")
        await _AUDITS[category](auditor)
    if left := 1 + len(tab.frames.shown()) - len(documents):
        made.notes.append(f"{left} frames did not answer and were not audited.")
    made.summary = findings.summary(made.findings)
    made.findings = [
        attrs.evolve(one, element=None if one.nid is None else await _identify(tab, one.nid))
        for one in findings.ranked(made.findings)
    ]
    return made


async def _identify(tab: TabActor, nid: int) -> str:
    """Return an id for the element of a finding."""
    if known := tab.record.ids.get_id(nid):
        tab.record.ids.note_shown([known])
        return known
    place = tab.place(nid)
    survey = await tab.frames.ask_node(place, "surveyed") or {}
    tag = str(survey.get("tag", "*"))
    match = Match(place=place, selector=tag, tag=tag, text=str(survey.get("name", "")), bounds=None)
    return tab.record.dom.identify(match)


async def _look(tab: TabActor, frame: SeenFrame, script: str, kind: type[Any]) -> Any:
    """Return what a script sees in a frame; None if it is a subframe that does not answer."""
    is_main = frame is tab.frames.main
    worlds = tab.page.frames
    world = await worlds.wait(worlds.main_frame) if is_main else frame.world
    command = Evaluate(
        expression=script, unique_context_id=world.context, return_by_value=True, await_promise=True
    )
    if is_main:
        async with tab.page.answering(_LOOK_TAKES):
            return facts.read(answer_of(await world.session.call(command)), kind)
    with trio.move_on_after(5.0), suppress(*GONE):
        return facts.read(answer_of(await world.session.call(command)), kind)
    return None


@attrs.frozen
class _Auditor:
    """An audit in progress; ``documents`` are by frame, the main frame first."""

    tab: TabActor
    session: AgentSession
    documents: Mapping[SeenFrame, facts.Document]
    made: Audit = attrs.field(factory=Audit)

    def _add(self, frame: SeenFrame, found: Iterable[Finding]) -> None:
        """Add the findings of a frame with node numbers that are unique in the page."""
        self.made.findings += [
            one if one.nid is None else attrs.evolve(one, nid=compose_number(frame.number, one.nid))
            for one in found
        ]

    async def contrast(self) -> None:
        """Run the rule of axe-core about the contrast of texts."""
        reports = await self.run_axe("contrast")
        self.made.looked_at["texts"] = sum(report.texts for report in reports)
        if unknown := sum(report.unknown for report in reports):
            self.made.notes.append(
                f"The contrast of {unknown} texts is unknown: they are on images, or partly "
                "covered."
            )

    async def run_axe(self, category: Category) -> Sequence[facts.AxeReport]:
        """Run axe-core in all frames from the main frame inwards; a time-out becomes a note."""
        reports: dict[SeenFrame, facts.AxeReport] = {}
        grounds: dict[int, Mapping[str, str]] = {}
        for frame, _ in self.tab.frames.placed():
            asked = {"contrast": category == "contrast", "behind": grounds.get(frame.number)}
            try:
                script = facts.expression("axe", asked)
                report = await _look(self.tab, frame, script, facts.AxeReport)
            except TabHung:
                await self.tab.page.end_script()
                self.made.notes.append(
                    f"axe-core did not finish in time: {category} was not checked."
                )
                return ()
            if report is not None:
                reports[frame] = report
                for nid, child in frame.children.items():
                    grounds[child.number] = report.grounds.get(nid, {})
        for frame, report in reports.items():
            self._add(frame, findings.axe_findings(report, category))
        return tuple(reports.values())

    async def seo(self) -> None:
        """Check the metadata of the page."""
        self.made.findings += findings.seo(self.documents[self.tab.frames.main])

    async def performance(self) -> None:
        """Check causes of slow loading and of movement during loading."""
        page, target = self.tab.page, self.tab.record.target_id
        main = self.tab.frames.main
        timings = await _look(self.tab, main, facts.expression("timings"), facts.Timings)
        async with open_session(page.connection, target) as session, page.answering(_LOOK_TAKES):
            sheets = await facts.unused_styles(session)
        self.made.looked_at["resources"] = len(timings["resources"])
        self.made.looked_at["style_sheets"] = len(sheets)
        nodes = self.documents[main].nodes
        self.made.findings += findings.performance(timings, sheets, nodes)

    async def links(self) -> None:
        """Check links, and follow those that the session may open."""
        documents, refusal = self.documents, self.tab.record.refusal
        urls = dict.fromkeys(url for one in documents.values() for url in findings.addresses(one))
        followed: list[str] = []
        for url in urls:
            if len(followed) == MOST_LINKS:
                break
            if await refusal(url) is None:
                followed.append(url)
        reached: Mapping[str, facts.Fetch] = await self._follow(followed) if followed else {}
        self.made.looked_at["links"] = len(reached)
        if left := len(urls) - len(reached):
            self.made.notes.append(f"{left} of {len(urls)} addresses were not followed.")
        for frame, document in documents.items():
            self._add(frame, findings.links(document, reached))

    async def _follow(self, urls: Sequence[str]) -> Mapping[str, facts.Fetch]:
        """Request URLs in a hidden page, so that the tab's own page makes no requests."""
        page = self.tab.page

        def report(count: int) -> None:
            stage(f"links: {count} of {len(urls)}")

        context_id = await page.context()
        async with hidden_page(page.root, self.session.open_hidden, context_id) as hidden:
            with trio.move_on_after(60.0):
                return await facts.Follower(hidden).follow(urls, report)
        return {}


_AUDITS: Mapping[Category, Callable[[_Auditor], Awaitable[object]]] = {
    "a11y": lambda auditor: auditor.run_axe("a11y"),
    "performance": _Auditor.performance,
    "seo": _Auditor.seo,
    "contrast": _Auditor.contrast,
    "links": _Auditor.links,
}
