"""Findings of axe-core, the accessibility engine in ``axe-core/``."""

from collections.abc import Iterator, Mapping
from itertools import repeat

from charlotte.dev.audits.facts import AxeReport
from charlotte.dev.audits.findings import Category, Finding, Severity

_SEVERITIES: Mapping[str, Severity] = {
    "critical": "error",
    "serious": "error",
    "moderate": "warning",
    "minor": "info",
}


def axe_findings(report: AxeReport, category: Category) -> Iterator[Finding]:
    """Yield a finding for each element that breaks a rule, with the rule's id as the check."""
    for broken in report.broken:
        severity = _SEVERITIES.get(broken.impact, "warning")
        for nid, message in broken.elements:
            yield Finding(broken.rule, severity, category, f"{message}.", nid)
        left = broken.count - len(broken.elements)
        yield from repeat(Finding(broken.rule, severity, category, "One more like this."), left)
