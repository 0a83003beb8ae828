"""Findings of an audit: their order, their counts, and those of axe-core."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, Literal

import attrs

from charlotte.dev.audits.facts import AxeReport

Severity = Literal["error", "warning", "info"]
Category = Literal["a11y", "performance", "seo", "contrast", "links"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
_SEVERITIES: Mapping[str, Severity] = {
    "critical": "error",
    "serious": "error",
    "moderate": "warning",
    "minor": "info",
}
"""Severities by axe-core's impact."""

_MOST_ALIKE = 20
"""Findings of one check that are listed; the others are counted."""


@attrs.frozen
class Finding:
    """A fault of a page.

    ``check`` is the name of the rule, ``nid`` the node of the page, if there is one, and
    ``element`` an id of that node for other tools.
    """

    check: str
    severity: Severity
    category: Category
    message: str
    nid: int | None = None
    element: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the fields for an answer (C-AUD-07)."""
        return attrs.asdict(self, filter=lambda one, value: one.name != "nid" and value is not None)


def ranked(findings: Iterable[Finding]) -> list[Finding]:
    """Sort by severity, then by the order of the page; count the rest of many of one check."""
    kept: list[Finding] = []
    seen: Counter[str] = Counter()
    last: dict[str, Finding] = {}
    for finding in sorted(findings, key=lambda one: SEVERITIES.index(one.severity)):
        seen[finding.check] += 1
        last[finding.check] = finding
        if seen[finding.check] <= _MOST_ALIKE:
            kept.append(finding)
    for check, count in seen.items():
        if count > _MOST_ALIKE:
            more = f"{count - _MOST_ALIKE} more like this."
            kept.append(attrs.evolve(last[check], message=more, nid=None))
    return kept


def summary(findings: Sequence[Finding]) -> str:
    """Return the counts, as in ``"3 findings: 2 errors, 1 warning."``."""
    if not findings:
        return "Nothing found."
    counts = Counter(finding.severity for finding in findings)
    parts = [_counted(counts[one], one) for one in SEVERITIES if counts[one]]
    return f"{_counted(len(findings), 'finding')}: {', '.join(parts)}."


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count != 1 and what != 'info' else ''}"


def about(
    category: Category, check: str, severity: Severity
) -> Callable[[str, int | None], Finding]:
    """Return a function that makes findings of one check."""
    return lambda message, nid: Finding(check, severity, category, message, nid)


def axe_findings(report: AxeReport, category: Category) -> Iterator[Finding]:
    """Yield a finding for each element that breaks a rule, with the rule's id as the check."""
    for broken in report.broken:
        severity = _SEVERITIES.get(broken.impact, "warning")
        for nid, message in broken.elements:
            yield Finding(broken.rule, severity, category, f"{message}.", nid)
        left = broken.count - len(broken.elements)
        yield from repeat(Finding(broken.rule, severity, category, "One more like this."), left)
