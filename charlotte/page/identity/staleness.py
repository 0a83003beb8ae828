"""Checks that a reference still leads to what an agent was shown, and describes what changed."""

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

_LONGEST_NAME = 100
_LISTED = {"i", "c"}
"""Kinds of nodes on which an agent acts."""


@attrs.frozen
class ElementSummary:
    """What is or was there under a reference: its role, or tag, and its name, or text.

    ``near`` is the text of its row, ``column`` the head of its column, ``url`` where it leads.
    """

    role: str
    name: str
    near: str = ""
    column: str = ""
    url: str = ""

    def __str__(self) -> str:
        said = f"{self.role} '{shorten_name(self.name)}'"
        more = (("near", self.near), ("in column", self.column), ("leading to", self.url))
        return said + "".join(f" {how} '{shorten_name(text)}'" for how, text in more if text)


def shorten_name(text: str) -> str:
    """The start of a text, for a message."""
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…"


def build_change_error(before: ElementSummary, now: ElementSummary) -> ElementChanged:
    """The error for an element that is there, but not what the agent was shown."""
    return ElementChanged(f"Element changed since snapshot. Was: {before}, Now: {now}")


def find_shown_node(book: IdBook, reference: str) -> tuple[int | None, bool]:
    """The number of the node that a hash id means, and whether its minor changes are to be noted.

    None if there is no such node. Raises `ElementChanged` if the node, the record that it belongs
    to, or the document is not what the agent was shown.
    """
    nid, shown = book.resolve(reference), book.get_last_shown(reference)
    if shown is None:
        return (book.hidden(reference) if nid is None else nid), False
    if nid is None and book.is_from_here(shown):  # now another kind of thing, or hidden
        nid = shown.nid if book.node(shown.nid) else book.hidden(reference)
    try:
        is_noted = check_element(book, reference, shown, nid)
    except DocumentChanged:
        raise
    except ElementChanged:
        nid, is_noted = _follow(book, shown), True
        if nid is None:
            raise
    if nid is None or book.node(nid) is None:
        followed = _follow(book, shown)
        return (nid, is_noted) if followed is None else (followed, True)
    return nid, is_noted


def _follow(book: IdBook, shown: ShownElement) -> int | None:
    """The only node that is now what was shown, though another was: lists are redrawn in place."""
    before, scene = shown.identity, book.scene
    if scene is None or not book.is_from_here(shown) or not is_unmistakable(before):
        return None
    found = [
        node.nid
        for node in scene.capture.nodes
        if (node.role, node.name) == (before.role, before.name) and node.kind in _LISTED
        if is_replacement(before, now := scene.identity(node)) and is_same_record(before, now)
    ]
    return found[0] if len(found) == 1 else None


def check_element(book: IdBook, reference: str, shown: ShownElement, nid: int | None) -> bool:
    """Whether a node has changed a little since it was shown; raises `ElementChanged` if more."""
    known, scene = book.known_scene(shown), book.scene
    if known is not None and scene is not None and known is not scene:
        _check_document(shown, nid, known, scene)
    node = book.node(nid) if nid else None
    if nid is None or node is None or scene is None:
        return False
    before, now = shown.identity, scene.identity(node)
    is_here = book.is_from_here(shown)
    is_replaced = nid != shown.nid or not is_here
    is_minor = _check_element(before, now, is_replaced=is_replaced)
    if known is not None and not has_same_keys(before, now):
        is_minor |= _check_heading(book, reference, (shown, known), (nid, scene))
    return is_minor or (is_replaced and is_here)


def check_page(book: IdBook, thing: ElementSummary) -> None:
    """Raise `DocumentChanged` if the agent was not shown the page that took another's place."""
    known, scene = book.told, book.scene
    if known is None or scene is None or known.capture.document == scene.capture.document:
        return
    before, now = known.capture.url, scene.capture.url
    verdict = compare_destinations(before, now)
    if verdict == "changed" or not (
        verdict == "same" or reads_the_same(known, scene, with_texts=True)
    ):
        raise _elsewhere(thing, before, now)


def _elsewhere(thing: ElementSummary, before: str, now: str) -> DocumentChanged:
    return DocumentChanged(
        f"Element changed since snapshot. {thing} was on {shorten_name(before)}, "
        f"but the page is now {shorten_name(now)}."
    )


def _check_document(shown: ShownElement, nid: int | None, known: Scene, scene: Scene) -> None:
    """Raise `DocumentChanged` if the page shows another document than the agent knows."""
    before, now = _addresses(shown, nid, known, scene)
    verdict = compare_destinations(before, now)
    if verdict == "minor":
        node = scene.capture.by_nid.get(nid) if nid else None
        is_sure = node is not None and has_same_keys(shown.identity, scene.identity(node))
        if reads_the_same(known, scene, with_texts=not is_sure):
            return
    if verdict != "same":
        raise _elsewhere(ElementSummary(shown.role, shown.name), before, now)


def _addresses(shown: ShownElement, nid: int | None, known: Scene, scene: Scene) -> tuple[str, str]:
    """Of the document of an element as the agent knows it, and as it is now."""
    if not split_number(shown.nid)[0]:
        return known.capture.url, scene.capture.url
    now = scene.url(nid) if nid else shown.url
    return (now if now in known.capture.frames.values() else shown.url), now


def _check_element(before: Identity, now: Identity, *, is_replaced: bool) -> bool:
    """Whether an element differs a little from what was shown; raises `ElementChanged`."""
    led = compare_destinations(before.destination, now.destination)
    verdicts = {compare_names(before, now), compare_places(before, now)}
    leads_elsewhere = led == "changed" or (led == "minor" and before.standing is None)
    if "changed" in verdicts or (is_replaced and leads_elsewhere):
        raise _changed(before, now)
    return "minor" in verdicts or led != "same"


def _check_heading(
    book: IdBook, reference: str, was: tuple[ShownElement, Scene], is_now: tuple[int, Scene]
) -> bool:
    """Whether the heading over an element says nothing; raises `ElementChanged` if it changed."""
    (shown, known), (nid, scene) = was, is_now
    if known is scene or shown.nid not in known.capture.by_nid:
        return False
    if known.capture.document != shown.document:
        return False
    before, now = known.heading(shown.nid), scene.heading(nid)
    if compare_headings(before, now) != "changed":
        return False
    if book.notes_restless(reference):
        return True
    was_shown = ElementSummary(shown.role, shown.name)
    raise ElementChanged(
        f"Element changed since snapshot. Was: {was_shown} below heading "
        f"'{shorten_name(before)}', Now: below heading '{shorten_name(now)}'"
    )


def _changed(before: Identity, now: Identity) -> ElementChanged:
    """The error that tells two elements apart by their names, else by what is beside them."""
    if (before.role, before.name) != (now.role, now.name):
        return build_change_error(
            ElementSummary(before.role, before.name), ElementSummary(now.role, now.name)
        )
    return build_change_error(_beside(before), _beside(now))


def _beside(one: Identity) -> ElementSummary:
    return ElementSummary(
        one.role, one.name, one.near, one.column[1] if one.column else "", one.destination
    )
