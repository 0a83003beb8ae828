"""What becomes of the properties of one thing: values that changed, lists that got longer."""

from collections.abc import Iterator, Sequence
from typing import Any

from charlotte.page.diff.changes import Change
from charlotte.page.diff.removals import described
from charlotte.page.model import Element, first_of

_MOST_MEMBERS = 20

_SAME_BUT_NEW = "another value, which is not shown"

_PROPERTIES = ("type", "label", "title", "placeholder", "value")
NAMING = {"label", "text", "value"}
"""Properties that say by themselves what they belong to."""

_DEFAULT_STATE: dict[str, bool] = {
    "enabled": True,
    "visible": True,
    "focused": False,
    "required": False,
    "invalid": False,
    "readonly": False,
}
"""What it means that a state is not there; the others are then not known to the element."""


Urls = tuple[str, str]
"""The addresses of the page before and after."""


def element_changes(before: Element, after: Element, urls: Urls) -> Iterator[Change]:
    """What is not the same, but for the focus; every change names the property."""
    if before is after or _are_alike(before, after):
        return
    detail = described(after)
    for name in _PROPERTIES:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield changed(after.id, name, old, new, detail if name not in NAMING else None)
    if before.revision != after.revision and before.value == after.value:
        yield changed(after.id, "value", before.value, after.value, _SAME_BUT_NEW)
    if before.href != after.href and not _same_fragment(before.href, after.href, urls):
        yield changed(after.id, "href", before.href, after.href, detail)
    if before.options != after.options:
        yield members(after.id, "options", before.options or (), after.options or ())
    yield from _states(before, after, detail)


def _states(before: Element, after: Element, detail: str) -> Iterator[Change]:
    for name in dict.fromkeys([*before.state, *after.state]):
        default = _DEFAULT_STATE.get(name)
        old, new = before.state.get(name, default), after.state.get(name, default)
        if old != new and name != "focused":
            yield changed(after.id, f"state.{name}", old, new, detail)


def _same_fragment(before: str | None, after: str | None, urls: Urls) -> bool:
    """Whether both lead to the same place on the page, which has another address now."""
    old, new = (url.partition("#")[0] for url in urls)
    fragment = (before or "").removeprefix(old)
    return fragment.startswith("#") and after == f"{new}{fragment}"


def _are_alike(before: Element, after: Element) -> bool:
    return (
        before.label == after.label
        and before.value == after.value
        and before.state == after.state
        and before.href == after.href
        and before.options == after.options
        and before.title == after.title
        and before.placeholder == after.placeholder
        and before.type == after.type
        and before.revision == after.revision
    )


def changed(
    element: str | None, name: str, before: Any, after: Any, detail: str | None = None
) -> Change:
    """One property that changed."""
    return Change(
        type="changed",
        element=element,
        detail=detail,
        property=name,
        before=before,
        after=after,
    )


def members(element: str, name: str, before: Sequence[str], after: Sequence[str]) -> Change:
    """A list that changed: whole, or if that is long, only what left and what joined."""
    if max(len(before), len(after)) <= _MOST_MEMBERS:
        return changed(element, name, list(before), list(after))
    had, has = set(before), set(after)
    left = first_of([each for each in before if each not in has])
    joined = first_of([each for each in after if each not in had])
    detail = f"only those that left and joined, of {len(after)} now"
    return changed(element, name, left, joined, detail)
