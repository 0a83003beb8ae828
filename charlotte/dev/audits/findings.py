"""Findings of an audit: the checks on the facts about a page, their order and their counts."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from itertools import repeat
from typing import Any, Literal
from urllib.parse import unquote, urldefrag, urlsplit

import attrs

from charlotte.base.errors import ellipsize
from charlotte.dev.audits.facts import AxeReport, Document, DocumentElement, Fetch, Timings

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

_NEEDS_LEAVE = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS}
_SAFE = {"noopener", "noreferrer"}
_TOP = {"", "top"}

_UNUSED_BYTES = 2_000
_UNUSED_SHARE = 0.5
_TOO_LARGE = 2.0
_SMALL_IMAGE = 100 * 100
_HEAVY_IMAGE = 500_000
_FORCED_MS = 30
_SHIFT, _BAD_SHIFT = 0.1, 0.25
_MANY_NODES, _TOO_MANY_NODES = 1_500, 3_000
_RASTER_LEFT_OUT = (".svg", "data:image/svg")


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
    plurals = {"error": "errors", "warning": "warnings"}
    parts = [
        f"{count} {plurals.get(one, one) if count > 1 else one}"
        for one in SEVERITIES
        if (count := counts[one])
    ]
    return f"{len(findings)} finding{'s' * (len(findings) > 1)}: {', '.join(parts)}."


def axe_findings(report: AxeReport, category: Category) -> Iterator[Finding]:
    """Yield a finding for each element that breaks a rule, with the rule's id as the check."""
    for broken in report.broken:
        severity = _SEVERITIES.get(broken.impact, "warning")
        for nid, message in broken.elements:
            yield Finding(broken.rule, severity, category, f"{message}.", nid)
        left = broken.count - len(broken.elements)
        yield from repeat(Finding(broken.rule, severity, category, "One more like this."), left)


def seo(document: Document) -> Iterator[Finding]:
    """Yield faults of title, description, canonical address, main heading and robots."""
    elements = document.elements
    titles = [one.text for one in elements if one.tag == "title" and one.role != "img"]
    metas = [one.attributes for one in elements if one.tag == "meta"]
    descriptions, robots, viewports = (
        [meta.get("content", "").strip() for meta in metas if meta.get("name", "").lower() == name]
        for name in ("description", "robots", "viewport")
    )
    if not (titles and titles[0]):
        message = "The title is empty." if titles else "The page has no title."
        yield Finding("title", "error", "seo", message)
    if not (descriptions and descriptions[0]):
        is_empty = "The meta description is empty."
        message = is_empty if descriptions else "There is no meta description."
        yield Finding("meta-description", "warning", "seo", message)
    for message in _canonical_faults(document):
        yield Finding("canonical", "warning", "seo", message)
    headings = [one for one in elements if one.tag == "h1" and one.seen]
    if not headings:
        yield Finding("h1", "warning", "seo", "There is no h1.")
    for one in headings[1:]:
        message = f"{one.text!r} is another h1; use one as the title of the page."
        yield Finding("h1", "warning", "seo", message, one.nid)
    if any("noindex" in content.lower() for content in robots):
        message = "A robots tag asks search engines to ignore the page."
        yield Finding("noindex", "warning", "seo", message)
    if not viewports:
        message = "There is no meta viewport: phones show the page in its desktop size."
        yield Finding("meta-viewport", "warning", "seo", message)


def _canonical_faults(document: Document) -> Iterator[str]:
    found = [
        one
        for one in document.elements
        if one.tag == "link" and "canonical" in one.attributes.get("rel", "").lower().split()
    ]
    if len(found) > 1:
        yield f"There are {len(found)} canonical links; use one."
    for one in found:
        href = one.attributes.get("href", "").strip()
        if not href:
            yield "The canonical link has no address."
        elif not urlsplit(href).netloc:
            yield f"The canonical address {href!r} is relative; use an absolute URL."
        elif urlsplit(one.url).netloc != urlsplit(document.url).netloc:
            yield f"The canonical address {href!r} is on another host."
        elif urlsplit(href).fragment:
            yield f"The canonical address {href!r} has a fragment."


def links(document: Document, reached: Mapping[str, Fetch]) -> Iterator[Finding]:
    """Yield faults of the links of a page; ``reached`` has results by URL."""
    for one in document.elements:
        if one.tag in {"a", "area"}:
            name = f"The link {ellipsize((one.name or one.text), 60)!r}"
            for check, severity, message in _link_faults(one, document, reached):
                yield Finding(check, severity, "links", f"{name} {message}", one.nid)


_LinkFaults = Iterator[tuple[str, Severity, str]]


def _link_faults(
    link: DocumentElement, document: Document, reached: Mapping[str, Fetch]
) -> _LinkFaults:
    """Yield check, severity and message of the faults of a link."""
    if not _is_address(link.url):
        yield "broken-link", "error", f"to {ellipsize(link.url, 200)}: not a URL."
        return
    yield from _address_faults(link, document)
    rel = set(link.attributes.get("rel", "").lower().split())
    is_new = link.attributes.get("target", "").lower() == "_blank"
    there, here = urlsplit(link.url), urlsplit(document.url)
    is_external = there.scheme in {"http", "https"} and here.netloc not in {"", there.netloc}
    if is_new and is_external and not rel & _SAFE:
        message = f"opens {there.netloc} in a new tab without rel=noopener."
        yield "noopener", "warning", message
    url = urldefrag(link.url).url
    if found := reached.get(url):
        where, status = f"to {ellipsize(url, 200)}", found.status or 0
        if found.error is not None:
            yield "broken-link", "error", f"{where}: {found.error}."
        elif status >= HTTPStatus.BAD_REQUEST and status not in _NEEDS_LEAVE:
            yield "broken-link", "error", f"{where} returns status {status}."
        if len(found.hops) > 1:
            chain = " → ".join(map(str, [*found.hops, status or "no answer"]))
            message = f"{where} is redirected {len(found.hops)} times ({chain})."
            yield "redirect-chain", "warning", message


def _address_faults(link: DocumentElement, document: Document) -> _LinkFaults:
    """Yield a fault of the href of a link, or of the fragment in it."""
    href = link.attributes.get("href")
    if href is None:
        if link.text and not {"name", "id", "role"} & set(link.attributes):
            yield "missing-href", "warning", "has no href."
    elif not href.strip():
        yield "missing-href", "warning", "has an empty href."
    elif href.strip().lower().startswith("javascript:"):
        yield "missing-href", "warning", "has a script as its href; use a button."
    else:
        url, fragment = urldefrag(link.url)
        target = unquote(fragment)
        is_here = url == urldefrag(document.url).url
        is_element = target.lower() not in _TOP and not target.startswith(":~:")
        if is_here and is_element and not {target, fragment} & set(document.anchors):
            message = f"leads to #{ellipsize(target, 100)}, which is not on the page."
            yield "broken-fragment", "warning", message


def addresses(document: Document) -> list[str]:
    """Return the targets of links, each once, without fragments and without the page itself."""
    found = [
        urldefrag(one.url).url
        for one in document.elements
        if one.tag in {"a", "area"} and _is_address(one.url)
    ]
    here = urldefrag(document.url).url
    return [
        url for url in dict.fromkeys(found) if url.startswith(("http:", "https:")) and url != here
    ]


def _is_address(url: str) -> bool:
    """Return whether a URL can be parsed: the browser keeps a URL that it cannot resolve."""
    try:
        urlsplit(url)
    except ValueError:
        return False
    return True


def performance(
    timings: Timings, sheets: Iterable[tuple[str, int, int]], nodes: int
) -> Iterator[Finding]:
    """Yield faults in the performance entries of a page; ``sheets`` are of `unused_styles`."""
    for check, severity, message in _loading_faults(timings, sheets, nodes):
        yield Finding(check, severity, "performance", message)
    weights = {one["url"]: one["bytes"] for one in timings["resources"]}
    for image in timings["images"]:
        weight = weights.get(image["url"], 0)
        if fault := _find_image_fault(image, weight, timings["ratio"]):
            yield Finding("large-image", "warning", "performance", fault, image["nid"])
    total = sum(shift["value"] for shift in timings["shifts"])
    if total >= _SHIFT:
        nids = max(timings["shifts"], key=lambda shift: shift["value"])["nids"]
        message = f"Content moved by itself: layout shifts of {total:.2f} in total."
        severity = "error" if total >= _BAD_SHIFT else "warning"
        yield Finding("layout-shift", severity, "performance", message, nids[0] if nids else None)


def _loading_faults(
    timings: Timings, sheets: Iterable[tuple[str, int, int]], nodes: int
) -> Iterator[tuple[str, Severity, str]]:
    """Yield check, severity and message of the faults that belong to no element."""
    for url, length, unused in sheets:
        share = unused / max(length, 1)
        if unused >= _UNUSED_BYTES and share >= _UNUSED_SHARE:
            message = (
                f"{share:.0%} of {url or 'a style element'} is not used here: "
                f"{unused:,} of {length:,} characters."
            )
            yield "unused-css", "warning", message
    for frame in timings["frames"]:
        for script in frame["forced"]:
            if script["ms"] >= _FORCED_MS:
                message = (
                    f"{script['name'] or 'A script'} of {script['url'] or 'the page'} forced "
                    f"layout again and again: {script['ms']:.0f} of {frame['duration']:.0f} ms."
                )
                yield "layout-thrashing", "warning", message
    for one in timings["resources"]:
        if one["blocking"]:
            severity: Severity = "info"
            advice = "it delays the page"
            if one["type"] == "script":
                severity, advice = "warning", "defer or async lets the page show first"
            where = f"{ellipsize(one['url'], 200)} is render-blocking: nothing is shown before it"
            yield "render-blocking", severity, f"{where} is loaded ({one['ms']:.0f} ms): {advice}."
    if nodes > _MANY_NODES:
        severity = "error" if nodes > _TOO_MANY_NODES else "warning"
        yield "dom-size", severity, f"The page has {nodes:,} elements."


def _find_image_fault(image: Mapping[str, Any], weight: float, ratio: float) -> str | None:
    """Return the fault of an image with more pixels or bytes than its size on the page needs."""
    url, (width, height) = image["url"], image["natural"]
    if url.startswith(_RASTER_LEFT_OUT) or url.split("?")[0].endswith(_RASTER_LEFT_OUT):
        return None
    shown_width, shown_height = image["shown"]
    shown = shown_width * ratio, shown_height * ratio
    is_too_large = width > shown[0] * _TOO_LARGE and height > shown[1] * _TOO_LARGE
    if is_too_large and width * height > _SMALL_IMAGE and all(shown):
        return (
            f"{ellipsize(url, 200)} has {width:g}x{height:g} px, but is shown at "
            f"{shown_width:g}x{shown_height:g}."
        )
    return f"{ellipsize(url, 200)} has {weight / 1000:,.0f} kB." if weight > _HEAVY_IMAGE else None
