"""The tool that looks for what is wrong with a page."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, get_args

import attrs

from charlotte.actors.dev_audit import Audit, audit, elements_of
from charlotte.actors.session import AgentSession
from charlotte.actors.tab.actor import Tab
from charlotte.dev.audits.findings import Category, Finding, Severity, ranked, summary
from charlotte.page.render.cut import load
from charlotte.tools.answer import Answer
from charlotte.tools.arguments import tab_name
from charlotte.tools.guard import guarded
from charlotte.tools.pages import json_answer
from charlotte.tools.schema import Lenient, Limits
from charlotte.tools.tool import tool

_HEAD = 2_500
"""Characters set aside for what is said besides the findings."""


@attrs.frozen(kw_only=True)
class AuditFinding:
    """Something wrong; ``element`` is an id that other tools take, where there is one."""

    check: str
    severity: Severity
    category: Category
    message: str
    element: str | None


@attrs.frozen(kw_only=True)
class AuditReport:
    """What an audit found, the worst first; ``looked_at`` counts texts, links and so on."""

    tab_id: str
    summary: str
    findings: tuple[AuditFinding, ...]
    looked_at: Mapping[str, int]
    notes: tuple[str, ...]


@tool(group="dev_mode", tab=False, read_only=True, deadline=240.0)
async def dev_audit(
    session: AgentSession,
    *,
    checks: Annotated[Sequence[Category] | None, Limits(min_length=1), "Else all"] = None,
    tab_id: Annotated[str | None, Lenient(tab_name)] = None,
) -> Answer[AuditReport]:
    """Audit the page: findings, worst first, with ids of the elements and what to mend."""
    categories = tuple(dict.fromkeys(checks or get_args(Category)))

    async def work(tab: Tab) -> Answer[AuditReport]:
        return await _told(tab, await audit(tab, session, categories))

    async def audited(tab: Tab) -> Answer[AuditReport]:
        return await guarded(tab, work)

    record = await session.tab(tab_id)
    return await record.tab.ask(audited)


async def _told(tab: Tab, made: Audit) -> Answer[AuditReport]:
    found = ranked(made.findings)
    elements = await elements_of(tab, found)
    named = [(one, elements.get(one.nid or 0)) for one in found]
    rows = [one.as_json(element) for one, element in named]
    report = AuditReport(
        tab_id=tab.record.id,
        summary=summary(made.findings),
        findings=tuple(_finding(one, element) for one, element in named),
        looked_at=made.looked_at,
        notes=tuple(made.notes),
    )
    return json_answer(_fitting(tab, report, rows), report, tab_id=tab.record.id)


def _finding(one: Finding, element: str | None) -> AuditFinding:
    return AuditFinding(
        check=one.check,
        severity=one.severity,
        category=one.category,
        message=one.message,
        element=element,
    )


def _fitting(tab: Tab, report: AuditReport, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The report as it is sent: as many findings as there is room for."""
    room = tab.record.session.settings.max_chars - _HEAD
    part = load("findings", rows, dict, room=max(room, 0), offset=0)
    body: dict[str, Any] = {
        "url": tab.record.url[:2000],
        "summary": report.summary,
        "findings": part.items,
        "looked_at": report.looked_at,
    }
    if report.notes:
        body["notes"] = report.notes
    if part.is_cut:
        told = {"part": "findings", "total": part.total, "returned": len(part.items)}
        body["truncation"] = {**told, "suggestion": "Ask for some of the checks."}
    return {**body, "tab_id": report.tab_id}
