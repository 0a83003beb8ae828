"""Findings of axe-core."""

import pytest

from charlotte.dev.audits.axe import axe_findings
from charlotte.dev.audits.facts import AxeReport, BrokenRule


def broken(impact: str = "serious", count: int = 1) -> AxeReport:
    rule = BrokenRule(rule="label", impact=impact, count=count, elements=[(7, "Label it")])
    return AxeReport(broken=[rule], texts=0, unknown=0, grounds={})


@pytest.mark.parametrize(
    ("impact", "severity"),
    [
        ("critical", "error"),
        ("serious", "error"),
        ("moderate", "warning"),
        ("minor", "info"),
        ("", "warning"),
    ],
)
def test_the_impact_decides_about_the_severity(impact: str, severity: str) -> None:
    [finding] = axe_findings(broken(impact), "a11y")
    assert (finding.check, finding.severity, finding.category) == ("label", severity, "a11y")
    assert (finding.message, finding.nid) == ("Label it.", 7)


def test_elements_that_are_only_counted_have_findings_too() -> None:
    assert [one.nid for one in axe_findings(broken(count=30), "a11y")] == [7, *[None] * 29]
