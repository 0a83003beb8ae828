"""What an agent is told of an element that is not there any more, or not what it was."""

from difflib import SequenceMatcher

from charlotte.actors.state.records import TabRecord
from charlotte.errors import ElementNotFound
from charlotte.page.identity.references import get_reference_form
from charlotte.page.identity.staleness import ElementSummary, shorten_name
from charlotte.page.model import Element, PageView

_MOST_SIMILAR = 3
_LONGEST_NAME = 100


def not_found(
    reference: str, record: TabRecord, view: PageView | None, before: ElementSummary | None
) -> ElementNotFound:
    """The error for a reference that nothing on the tab's page answers to.

    ``before`` is what it was when the agent was last told of it; None: it never was.
    """
    if before is not None:
        described = f"{shorten_name(before.name)} {before.role}".strip()
        similar = _similar(reference, view, before.name)
        return ElementNotFound(
            f"Element '{described}' (ref: {reference}) no longer exists.",
            f"{ElementNotFound.default_suggestion}"
            + (f" Similar: {', '.join(similar)}." if similar else ""),
        )
    if owner := _owner(reference, record):
        return ElementNotFound(
            f"{reference} is not on {record.id}.",
            f"It is an element of {owner}: pass tab_id={owner!r}.",
        )
    hint = "Call observe or find for the ids that exist now."
    if similar := _similar(reference, view):
        hint = f"Did you mean {', '.join(similar)}? Otherwise call observe or find."
    return ElementNotFound(f"No element {reference!r} on {record.id} now.", hint)


def _owner(reference: str, record: TabRecord) -> str | None:
    """The tab that gave the reference; a table of @refs is every tab's own."""
    if get_reference_form(reference) == "table":
        return None
    others = (other for other in record.session.tabs.values() if other is not record)
    return next((one.id for one in others if _knows(one, reference)), None)


def _knows(record: TabRecord, reference: str) -> bool:
    return (
        record.ids.resolve(reference) is not None
        or record.dom.find(reference) is not None
        or record.refs.find(reference) is not None
    )


def _similar(reference: str, view: PageView | None, name: str | None = None) -> list[str]:
    """Live elements of the same type (C-ID-10), those first whose label is most like ``name``.

    Without a name, only when they are few enough to be a hint.
    """
    prefix = reference.split("-", 1)[0] + "-" if "-" in reference else ""
    same = [one for one in (view.interactive if view else ()) if one.id.startswith(prefix)]
    if name is None and len(same) > _MOST_SIMILAR:
        return []

    def unlikeness(one: Element) -> float:
        return -SequenceMatcher(None, name or "", one.label[:_LONGEST_NAME]).quick_ratio()

    most = sorted(same, key=unlikeness)[:_MOST_SIMILAR]
    return [f"{one.id} {one.label[:40]!r}{_beside(one)}" for one in most]


def _beside(element: Element) -> str:
    return f" (near {element.near!r})" if element.near else ""
