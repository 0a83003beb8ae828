"""Links: broken targets, redirect chains, and new tabs that can reach their opener."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from urllib.parse import unquote, urldefrag, urlsplit

from charlotte.dev.audits.facts import Document, Element, Reached
from charlotte.dev.audits.findings import Finding, about

_NEEDS_LEAVE = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS}
_SAFE = {"noopener", "noreferrer"}
_TOP = {"", "top"}


def links(document: Document, reached: Mapping[str, Reached]) -> Iterator[Finding]:
    """Yield faults of the links of a page; ``reached`` has results by URL."""
    for one in _links_of(document):
        if not _is_address(one.url):
            where = f"{_describe(one)} to {one.url[:200]}"
            yield about("links", "broken-link", "error")(f"{where}: not a URL.", one.nid)
        else:
            yield from _address(one, document)
            yield from _opener(one, document)
            if found := reached.get(urldefrag(one.url).url):
                yield from _followed(one, found)


def addresses(document: Document) -> list[str]:
    """Return the targets of links, each once, without fragments and without the page itself."""
    found = [urldefrag(one.url).url for one in _links_of(document) if _is_address(one.url)]
    here = urldefrag(document.url).url
    return [
        url for url in dict.fromkeys(found) if url.startswith(("http:", "https:")) and url != here
    ]


def _links_of(document: Document) -> list[Element]:
    return [one for one in document.elements if one.tag in {"a", "area"}]


def _is_address(url: str) -> bool:
    """Return whether a URL can be parsed: the browser keeps a URL that it cannot resolve."""
    try:
        urlsplit(url)
    except ValueError:
        return False
    return True


def _describe(element: Element) -> str:
    return f"The link {(element.name or element.text)[:60]!r}"


def _address(element: Element, document: Document) -> Iterator[Finding]:
    finding = about("links", "missing-href", "warning")
    href = element.attributes.get("href")
    if href is None:
        is_target = "name" in element.attributes or "id" in element.attributes
        if element.text and not is_target and "role" not in element.attributes:
            yield finding(f"{_describe(element)} has no href.", element.nid)
    elif not href.strip():
        yield finding(f"{_describe(element)} has an empty href.", element.nid)
    elif href.strip().lower().startswith("javascript:"):
        yield finding(f"{_describe(element)} has a script as its href; use a button.", element.nid)
    else:
        yield from _fragment(element, document)


def _fragment(element: Element, document: Document) -> Iterator[Finding]:
    url, fragment = urldefrag(element.url)
    target = unquote(fragment)
    if url != urldefrag(document.url).url or target.lower() in _TOP or target.startswith(":~:"):
        return
    if target not in document.anchors and fragment not in document.anchors:
        yield about("links", "broken-fragment", "warning")(
            f"{_describe(element)} leads to #{target[:100]}, which is not on the page.", element.nid
        )


def _opener(element: Element, document: Document) -> Iterator[Finding]:
    rel = set(element.attributes.get("rel", "").lower().split())
    is_new = element.attributes.get("target", "").lower() == "_blank"
    there, here = urlsplit(element.url), urlsplit(document.url)
    is_external = there.scheme in {"http", "https"} and here.netloc not in {"", there.netloc}
    if is_new and is_external and not rel & _SAFE:
        yield about("links", "noopener", "warning")(
            f"{_describe(element)} opens {there.netloc} in a new tab without rel=noopener.",
            element.nid,
        )


def _followed(element: Element, found: Reached) -> Iterator[Finding]:
    where = f"{_describe(element)} to {found.url[:200]}"
    if found.error is not None:
        yield about("links", "broken-link", "error")(f"{where}: {found.error}.", element.nid)
    elif (found.status or 0) >= HTTPStatus.BAD_REQUEST and found.status not in _NEEDS_LEAVE:
        yield about("links", "broken-link", "error")(
            f"{where} returns status {found.status}.", element.nid
        )
    if len(found.hops) > 1:
        chain = " → ".join(map(str, [*found.hops, found.status or "no answer"]))
        yield about("links", "redirect-chain", "warning")(
            f"{where} is redirected {len(found.hops)} times ({chain}).", element.nid
        )
