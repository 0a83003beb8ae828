"""Order, counts and limits of findings."""

from typing import Any

import attrs
import pytest

from charlotte.dev.audits.facts import AxeReport, BrokenRule
from charlotte.dev.audits.findings import (
    Finding,
    Severity,
    axe_findings,
    performance,
    ranked,
    summary,
)


def finding(check: str, severity: Severity, nid: int | None = None) -> Finding:
    return Finding(check, severity, "seo", f"{check} is wrong", nid)


def test_findings_are_sorted_by_severity_then_by_the_order_of_the_page() -> None:
    given = [finding("a", "info"), finding("b", "error", 1), finding("c", "error", 2)]
    assert [one.check for one in ranked(given)] == ["b", "c", "a"]


def test_many_findings_of_one_check_are_counted() -> None:
    shown = ranked([finding("a", "error", n) for n in range(30)])
    assert len(shown) == 21
    assert (shown[-1].message, shown[-1].nid) == ("10 more like this.", None)


def test_a_summary_counts_by_severity() -> None:
    assert summary([]) == "Nothing found."
    given = [finding("a", "error"), finding("b", "error"), finding("c", "info")]
    assert summary(given) == "3 findings: 2 errors, 1 info."
    assert summary(given[:1]) == "1 finding: 1 error."


@pytest.mark.req("C-AUD-03")
def test_a_resource_that_delays_the_page_is_called_render_blocking() -> None:
    resource = {"url": "/a.css", "type": "link", "blocking": True, "ms": 5.0, "bytes": 1}
    loaded: Any = {"frames": [], "resources": [resource], "images": [], "shifts": [], "ratio": 1}

    [found] = performance(loaded, [], 10)

    assert (found.check, found.message.split(":")[0]) == (
        "render-blocking",
        "/a.css is render-blocking",
    )


def test_a_finding_names_its_element_if_it_has_one() -> None:
    assert finding("a", "error", 5).as_json() == {
        "check": "a",
        "severity": "error",
        "category": "seo",
        "message": "a is wrong",
    }
    named = attrs.evolve(finding("a", "error", 5), element="dom-1")
    assert named.as_json()["element"] == "dom-1"


def broken(impact: str = "serious", count: int = 1) -> AxeReport:
    rule = BrokenRule(rule="label", impact=impact, count=count, elements=[(7, "Label it")])
    return AxeReport(broken=[rule], texts=0, unknown=0, grounds={})


def test_elements_that_are_only_counted_have_findings_too() -> None:
    assert [one.nid for one in axe_findings(broken(count=30), "a11y")] == [7, *[None] * 29]
