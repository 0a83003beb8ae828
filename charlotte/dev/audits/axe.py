"""Accessibility by axe-core, where a package that brings it is installed (the extra ``axe``)."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from charlotte.dev.audits.facts import AxeReport, Broken
from charlotte.dev.audits.findings import Finding, Severity

_PACKAGES = ("axe_playwright_python", "axe_core_python")
"""Any of them will do; the first keeps up with axe-core."""

_SEVERITIES: Mapping[str, Severity] = {
    "critical": "error",
    "serious": "error",
    "moderate": "warning",
    "minor": "info",
}


@cache
def axe_source() -> str | None:
    """The engine's script, or None where none is installed; nothing of a package is run."""
    specs = filter(None, map(find_spec, _PACKAGES))
    places = (Path(place) for spec in specs for place in spec.submodule_search_locations or ())
    script = next((path for place in places if (path := place / "axe.min.js").is_file()), None)
    return script.read_text(encoding="utf-8") if script else None


def by_axe(report: AxeReport) -> Iterator[Finding]:
    """One finding for each element that breaks a rule, under the rule's name."""
    for one in report.broken:
        for nid in one.nids:
            yield Finding(one.rule, _severity(one), "a11y", f"{one.help}.", nid)


def _severity(broken: Broken) -> Severity:
    return _SEVERITIES.get(broken.impact, "warning")
