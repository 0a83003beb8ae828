"""Metadata of a page for search engines and link previews."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from charlotte.dev.audits.facts import Document, Element
from charlotte.dev.audits.findings import Finding, about


def seo(document: Document) -> Iterator[Finding]:
    """Yield faults of title, description, canonical address, main heading and robots."""
    yield from _title(document)
    yield from _description(document)
    yield from _canonical(document)
    yield from _headings(document)
    yield from _robots(document)
    if not any(_is_meta(one, "viewport") for one in document.elements):
        yield about("seo", "meta-viewport", "warning")(
            "There is no meta viewport: phones show the page in its desktop size.", None
        )


def _is_meta(element: Element, name: str) -> bool:
    return element.tag == "meta" and element.attributes.get("name", "").lower() == name


def _title(document: Document) -> Iterator[Finding]:
    finding = about("seo", "title", "error")
    titles = [one for one in document.elements if one.tag == "title" and one.role != "img"]
    if not titles:
        yield finding("The page has no title.", None)
    elif not titles[0].text:
        yield finding("The title is empty.", None)


def _description(document: Document) -> Iterator[Finding]:
    finding = about("seo", "meta-description", "warning")
    found = [one for one in document.elements if _is_meta(one, "description")]
    if not found:
        yield finding("There is no meta description.", None)
    elif not found[0].attributes.get("content", "").strip():
        yield finding("The meta description is empty.", None)


def _canonical(document: Document) -> Iterator[Finding]:
    finding = about("seo", "canonical", "warning")
    found = [one for one in document.elements if _is_canonical(one)]
    if len(found) > 1:
        yield finding(f"There are {len(found)} canonical links; use one.", None)
    for one in found:
        href = one.attributes.get("href", "").strip()
        if not href:
            yield finding("The canonical link has no address.", None)
        elif not urlsplit(href).netloc:
            yield finding(f"The canonical address {href!r} is relative; use an absolute URL.", None)
        elif urlsplit(one.url).netloc != urlsplit(document.url).netloc:
            yield finding(f"The canonical address {href!r} is on another host.", None)
        elif urlsplit(href).fragment:
            yield finding(f"The canonical address {href!r} has a fragment.", None)


def _is_canonical(element: Element) -> bool:
    rel = element.attributes.get("rel", "").lower().split()
    return element.tag == "link" and "canonical" in rel


def _headings(document: Document) -> Iterator[Finding]:
    finding = about("seo", "h1", "warning")
    found = [one for one in document.elements if one.tag == "h1" and one.seen]
    if not found:
        yield finding("There is no h1.", None)
    for one in found[1:]:
        yield finding(f"{one.text!r} is another h1; use one as the title of the page.", one.nid)


def _robots(document: Document) -> Iterator[Finding]:
    for one in document.elements:
        if _is_meta(one, "robots") and "noindex" in one.attributes.get("content", "").lower():
            yield about("seo", "noindex", "warning")(
                "A robots tag asks search engines to ignore the page.", None
            )
