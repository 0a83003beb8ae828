"""Check that a reference still leads to the element that an agent was shown."""

import attrs

from charlotte.errors import DocumentChanged, ElementChanged
from charlotte.page.frames import split_number
from charlotte.page.identity.comparison import compare_destinations
from charlotte.page.identity.elements import (
    Identity,
    Scene,
    compare_headings,
    compare_names,
    compare_places,
    has_same_keys,
    is_replacement,
    is_same_record,
    is_unmistakable,
    reads_the_same,
)
from charlotte.page.identity.id_book import IdBook, ShownElement
from charlotte.page.record_base import ellipsize

_LONGEST_NAME = 100
_ACTIONABLE = {"i", "c"}
"""Kinds of nodes on which an agent acts."""


@attrs.frozen
class ElementSummary:
    """Description of an element for messages: its role or tag, and its name or text.

    ``near`` is the text of its row, ``column`` the head of its column, ``url`` its destination.
    """

    role: str
    name: str
    near: str = ""
    column: str = ""
    url: str = ""

    def __str__(self) -> str:
        details = (("near", self.near), ("in column", self.column), ("leading to", self.url))
        return f"{self.role} '{shorten_name(self.name)}'" + "".join(
            f" {relation} '{shorten_name(text)}'" for relation, text in details if text
        )


def shorten_name(text: str) -> str:
    """Return the start of a text for a message."""
    return ellipsize(text, _LONGEST_NAME)


def build_change_error(before: ElementSummary, now: ElementSummary) -> ElementChanged:
    """Return the error for an element that is no longer what the agent was shown."""
    return ElementChanged(f"Element changed since snapshot. Was: {before}, Now: {now}")


def find_shown_node(book: IdBook, reference: str) -> tuple[int | None, bool]:
    """Return the number of the node with a hash id, or None, and whether to note minor changes.

    Raises `ElementChanged` if the node, its record or the document is not what the agent was shown.
    """
    nid, shown = book.resolve(reference), book.get_last_shown(reference)
    if shown is None:
        return (book.find_hidden(reference) if nid is None else nid), False
    if nid is None and book.is_from_here(shown):  # now of another kind, or hidden
        nid = shown.nid if book.get_node(shown.nid) else book.find_hidden(reference)
    try:
        is_noted = check_element(book, reference, shown, nid)
    except DocumentChanged:
        raise
    except ElementChanged:
        nid, is_noted = _find_moved(book, shown), True
        if nid is None:
            raise
    if nid is None or book.get_node(nid) is None:
        moved = _find_moved(book, shown)
        return (nid, is_noted) if moved is None else (moved, True)
    return nid, is_noted


def _find_moved(book: IdBook, shown: ShownElement) -> int | None:
    """Return the only node that now matches the shown element: lists re-render in place."""
    before, scene = shown.identity, book.scene
    if scene is None or not book.is_from_here(shown) or not is_unmistakable(before):
        return None
    found = [
        node.nid
        for node in scene.capture.nodes
        if (node.role, node.name) == (before.role, before.name) and node.kind in _ACTIONABLE
        if is_replacement(before, now := scene.identity(node)) and is_same_record(before, now)
    ]
    return found[0] if len(found) == 1 else None


def check_element(book: IdBook, reference: str, shown: ShownElement, nid: int | None) -> bool:
    """Return whether a node has changed a little; raises `ElementChanged` if it changed more."""
    known, scene = book.find_known_scene(shown), book.scene
    if known is not None and scene is not None and known is not scene:
        _check_document(shown, nid, known, scene)
    node = book.get_node(nid) if nid else None
    if nid is None or node is None or scene is None:
        return False
    before, now = shown.identity, scene.identity(node)
    is_here = book.is_from_here(shown)
    is_replaced = nid != shown.nid or not is_here
    is_minor = _check_features(before, now, is_replaced=is_replaced)
    if known is not None and not has_same_keys(before, now):
        is_minor |= _check_heading(book, reference, (shown, known), (nid, scene))
    return is_minor or (is_replaced and is_here)


def check_page(book: IdBook, element: ElementSummary) -> None:
    """Raise `DocumentChanged` if the page is another than the one that the agent was shown."""
    known, scene = book.shown_scene, book.scene
    if known is None or scene is None or known.capture.document == scene.capture.document:
        return
    before, now = known.capture.url, scene.capture.url
    degree = compare_destinations(before, now)
    if degree == "changed" or (
        degree == "minor" and not reads_the_same(known, scene, with_texts=True)
    ):
        raise _document_error(element, before, now)


def _document_error(element: ElementSummary, before: str, now: str) -> DocumentChanged:
    return DocumentChanged(
        f"Element changed since snapshot. {element} was on {shorten_name(before)}, "
        f"but the page is now {shorten_name(now)}."
    )


def _check_document(shown: ShownElement, nid: int | None, known: Scene, scene: Scene) -> None:
    """Raise `DocumentChanged` if the element's document is not the one that the agent knows."""
    if not split_number(shown.nid)[0]:
        before, now = known.capture.url, scene.capture.url
    else:
        now = scene.url(nid) if nid else shown.url
        before = now if now in known.capture.frames.values() else shown.url
    degree = compare_destinations(before, now)
    if degree == "minor":
        node = scene.capture.by_nid.get(nid) if nid else None
        is_sure = node is not None and has_same_keys(shown.identity, scene.identity(node))
        if reads_the_same(known, scene, with_texts=not is_sure):
            return
    if degree != "same":
        raise _document_error(ElementSummary(shown.role, shown.name), before, now)


def _check_features(before: Identity, now: Identity, *, is_replaced: bool) -> bool:
    """Return whether an element has changed a little; raises `ElementChanged` if more."""
    destinations = compare_destinations(before.destination, now.destination)
    degrees = {compare_names(before, now), compare_places(before, now)}
    leads_elsewhere = destinations == "changed" or (
        destinations == "minor" and before.membership is None
    )
    if "changed" not in degrees and not (is_replaced and leads_elsewhere):
        return "minor" in degrees or destinations != "same"
    if (before.role, before.name) != (now.role, now.name):
        summaries = ElementSummary(before.role, before.name), ElementSummary(now.role, now.name)
    else:
        summaries = _summarize(before), _summarize(now)
    raise build_change_error(*summaries)


def _summarize(element: Identity) -> ElementSummary:
    column = element.column[1] if element.column else ""
    return ElementSummary(element.role, element.name, element.near, column, element.destination)


def _check_heading(
    book: IdBook, reference: str, before: tuple[ShownElement, Scene], now: tuple[int, Scene]
) -> bool:
    """Return whether the heading above an element is ignored; raises `ElementChanged`."""
    (shown, known), (nid, scene) = before, now
    if known is scene or shown.nid not in known.capture.by_nid:
        return False
    if known.capture.document != shown.document:
        return False
    old, new = known.heading(shown.nid), scene.heading(nid)
    if compare_headings(old, new) != "changed":
        return False
    if book.note_heading_change(reference):
        return True
    summary = ElementSummary(shown.role, shown.name)
    raise ElementChanged(
        f"Element changed since snapshot. Was: {summary} below heading "
        f"'{shorten_name(old)}', Now: below heading '{shorten_name(new)}'"
    )
