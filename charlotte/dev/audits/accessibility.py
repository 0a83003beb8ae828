"""What keeps people from using a page: names, order, keyboard, language."""

import re
from collections.abc import Iterator

from charlotte.dev.audits.facts import Document, Element
from charlotte.dev.audits.findings import Finding, about

_IMAGES = {"img", "image", "graphics-document", "graphics-symbol"}
_FIELDS = {
    "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "switch", "slider",
    "spinbutton",
}  # fmt: skip
_FIELD_TAGS = {"input", "select", "textarea"}
_PRESSED = {"button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "option"}
_IN_A_WIDGET = {"tab", "menuitem", "option", "radio"}
"""Roles whose keyboard focus their widget may move by itself."""
_NATIVE = {"a", "area", "button", "input", "select", "textarea", "summary", "option"}
_NAMING = {"alt", "aria-label", "aria-labelledby", "title"}
_DECORATIVE = {"presentation", "none"}
_LANGUAGE = re.compile("[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_BARE_SCALE = re.compile(
    r"user-scalable\s*=\s*(no|0)|maximum-scale\s*=\s*(0|1)(\.|\D|$)", re.IGNORECASE
)


def accessibility(document: Document, *, framed: bool = False) -> Iterator[Finding]:
    """What can be told without trying the page out; ``framed``: it is part of another."""
    heard = [one for one in document.elements if one.seen and not one.muted]
    for one in heard:
        yield from _image(one)
        yield from _control(one)
        yield from _keyboard(one)
        yield from _frame(one)
    for one in document.elements:
        if one.muted and one.focusable and one.seen:
            yield about("a11y", "aria-hidden-focus", "error")(
                f"{_called(one)} can be focused, but is hidden from assistive technology.", one.nid
            )
    yield from _headings(heard)
    yield from _ids(document)
    if not framed:
        yield from _landmarks(heard)
        yield from _head(document)


def _called(element: Element) -> str:
    said = element.name or element.text
    return f"{element.role or element.tag} {said[:60]!r}" if said else f"A {element.tag}"


def _image(element: Element) -> Iterator[Finding]:
    finding = about("a11y", "image-alt", "error")
    if element.attributes.get("type") == "image" and not element.attributes.keys() & _NAMING:
        yield finding("An image that is a button has no alt text.", element.nid)
    if element.tag == "img":
        lacks = "alt" not in element.attributes and not element.name
        if lacks and element.attributes.get("role") not in _DECORATIVE:
            yield finding("An image has no alt text; alt='' if it only decorates.", element.nid)
    elif not element.name and (element.role in _IMAGES or element.tag == "area"):
        if element.tag == "svg" and "role" not in element.attributes:
            return
        yield finding(f"A {element.tag} that stands for an image has no text.", element.nid)


def _control(element: Element) -> Iterator[Finding]:
    if element.role == "button" and not element.name:
        yield about("a11y", "button-name", "error")("A button says nothing.", element.nid)
    elif element.role == "link" and not element.name and element.tag != "area":
        yield about("a11y", "link-name", "error")("A link says nothing.", element.nid)
    elif element.role in _FIELDS or (element.tag in _FIELD_TAGS and element.role != "button"):
        yield from _field(element)


def _field(element: Element) -> Iterator[Finding]:
    if not element.name:
        kind = element.attributes.get("type") or element.role or element.tag
        yield about("a11y", "label", "error")(f"A field ({kind}) has no label.", element.nid)
    elif element.name == element.attributes.get("placeholder"):
        yield about("a11y", "placeholder-label", "warning")(
            f"{element.name!r} has only a placeholder, which goes when somebody types.", element.nid
        )


def _keyboard(element: Element) -> Iterator[Finding]:
    is_made = element.role in _PRESSED - _IN_A_WIDGET and element.tag not in _NATIVE
    if is_made and not element.focusable:
        yield about("a11y", "focusable", "error")(
            f"{_called(element)} cannot be reached with the keyboard; it needs tabindex=0.",
            element.nid,
        )
    order = element.attributes.get("tabindex", "")
    if order.isdigit() and int(order) > 0:
        yield about("a11y", "tabindex", "warning")(
            f"{_called(element)} has tabindex {order}, which puts it before all others.",
            element.nid,
        )


def _frame(element: Element) -> Iterator[Finding]:
    if element.tag == "iframe" and not element.name:
        yield about("a11y", "frame-title", "error")("A frame has no title.", element.nid)


def _headings(heard: list[Element]) -> Iterator[Finding]:
    before = 0
    for one in heard:
        level = _level(one)
        if level is None:
            continue
        if not one.name:
            yield about("a11y", "empty-heading", "warning")("A heading is empty.", one.nid)
        elif before and level > before + 1:
            yield about("a11y", "heading-order", "warning")(
                f"{_called(one)} of level {level} follows one of level {before}.", one.nid
            )
        before = level


def _level(element: Element) -> int | None:
    if element.role != "heading":
        return None
    given = element.attributes.get("aria-level", "")
    return (
        int(given) if given.isdigit() else int(element.tag[1]) if element.tag[1:].isdigit() else 2
    )


def _landmarks(heard: list[Element]) -> Iterator[Finding]:
    finding = about("a11y", "landmark-main", "warning")
    found = [one for one in heard if one.role == "main"]
    if not found:
        yield finding("There is no main landmark to skip to.", None)
    for one in found[1:]:
        yield finding("There is a main landmark beside another.", one.nid)


def _ids(document: Document) -> Iterator[Finding]:
    for twice in document.twice:
        yield about("a11y", "duplicate-id", "warning")(
            f"The id {twice.id!r} is given twice; labels and links find the first.", twice.nid
        )


def _head(document: Document) -> Iterator[Finding]:
    for one in document.elements:
        if one.tag == "html":
            yield from _language(one)
        elif one.tag == "meta" and one.attributes.get("name", "").lower() == "viewport":
            yield from _zoom(one)


def _language(root: Element) -> Iterator[Finding]:
    finding = about("a11y", "html-lang", "error")
    lang = root.attributes.get("lang", "").strip()
    if not lang:
        yield finding("The page does not say its language: html has no lang.", None)
    elif not _LANGUAGE.fullmatch(lang):
        yield finding(f"{lang!r} is no language: html's lang is as en or de-CH.", None)


def _zoom(meta: Element) -> Iterator[Finding]:
    if _BARE_SCALE.search(meta.attributes.get("content", "")):
        yield about("a11y", "meta-viewport-zoom", "warning")(
            "The meta viewport keeps people from zooming in.", None
        )
