"""What an agent is told of an element that is not there: whose it is, or what is like it."""

from charlotte.actors.records import TabRecord
from charlotte.errors import ElementNotFound
from charlotte.page.model import PageView

_MOST_SIMILAR = 3


def not_found(element_id: str, record: TabRecord, view: PageView | None) -> ElementNotFound:
    """The error for an id that nothing on the tab's page answers to."""
    if owner := _owner(element_id, record):
        return ElementNotFound(
            f"{element_id} is not on {record.id}.",
            f"It is an element of {owner}: pass tab_id={owner!r}.",
        )
    hint = "Call observe or find for the ids that exist now."
    if similar := _similar(element_id, view):
        hint = f"Did you mean {', '.join(similar)}? Otherwise call observe or find."
    return ElementNotFound(f"No element {element_id!r} on {record.id} now.", hint)


def _owner(element_id: str, record: TabRecord) -> str | None:
    others = (other for other in record.session.tabs.values() if other is not record)
    return next((one.id for one in others if one.ids.resolve(element_id) is not None), None)


def _similar(element_id: str, view: PageView | None) -> list[str]:
    """Live elements of the same type (C-ID-10), when they are few enough to be a hint."""
    prefix = element_id.split("-", 1)[0] + "-"
    elements = view.interactive if view else ()
    same = [f"{one.id} {one.label[:40]!r}" for one in elements if one.id.startswith(prefix)]
    return same if len(same) <= _MOST_SIMILAR else []
