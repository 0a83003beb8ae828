"""The search of described elements, with ``find``."""

from collections.abc import Callable, Sequence
from typing import Any

import trio

from charlotte.cli.scripts.descriptions import TYPES, Description
from charlotte.cli.scripts.words import Scope
from charlotte.errors import CharlotteError, ElementNotFound
from charlotte.page.model import Element
from charlotte.tools.toolkit import PageMethods

FIND_WAIT = 5.0
"""Seconds in which the element of a command must appear."""

TEXT_OF_ELEMENT = "(element.innerText ?? element.textContent ?? '').trim()"
"""The script by which a script of commands reads a text."""

_PAUSE = 0.1
_MOST_LISTED = 5
_LIMIT = 200


def has_name(element: Element, name: str) -> bool:
    """Return whether an element has exactly this name, in upper or lower case."""
    return element.label.casefold().strip() == name.casefold().strip()


async def find_all(page: PageMethods, description: Description, scope: Scope) -> Sequence[Element]:
    """Return the elements that match, those with exactly the name if there are any."""
    name = description.name.text(scope)
    given: dict[str, Any] = {"type_" if description.kind in TYPES else "role": description.kind}
    if description.row is not None:
        given["row"] = description.row.text(scope)
    if description.inside is not None:
        containers = await find_all(page, description.inside, scope)
        if not containers:
            return []
        given["within"] = _pick(containers, description.inside, scope).id
    found = await page.find(text=name or None, limit=_LIMIT, **given)
    if found.dialog is not None:
        raise ElementNotFound(
            f"A dialog blocks the page: {found.dialog.type} {found.dialog.message!r}.",
            "Answer it with the command dialog before this line.",
        )
    items: Sequence[Element] = found.items
    if description.near is not None:
        near = description.near.text(scope).casefold()
        items = [one for one in items if near in (one.near or "").casefold()]
    exact = [one for one in items if has_name(one, name)]
    return exact or (items if name else [])


def _pick(items: Sequence[Element], description: Description, scope: Scope) -> Element:
    """Return the element that a description names. Raises `ElementNotFound`.

    Several elements with the name are an error too, unless the description has a number.
    """
    written = description.write(scope)
    if not items:
        raise ElementNotFound(f"No {written} on the page.", "Correct the description.")
    number = description.number
    if number is None and len(items) > 1:
        raise _describe_matches(items, written, description.name.text(scope))
    if number is not None and number > len(items):
        raise ElementNotFound(f"No {written} on the page: there are {len(items)}.", "Use another.")
    return items[(number or 1) - 1]


def _describe_matches(items: Sequence[Element], written: str, name: str) -> ElementNotFound:
    """Return the error for several elements: their rows, and their names if these are longer."""
    is_exact = has_name(items[0], name)
    listed = list[str]()
    for number, one in enumerate(items[:_MOST_LISTED], 1):
        around = one.row or one.near
        label = "" if is_exact and around else f" {one.label!r}"
        listed.append(f"#{number}{label}" + (f" in {around!r}" if around else ""))
    return ElementNotFound(
        f"{len(items)} elements match {written}: {'; '.join(listed)}.",
        f'{"Add" if is_exact else "Write the whole name, or add"} in "TEXT" with a text of the '
        'row, near "TEXT", in ROLE "NAME", or #NUMBER.',
    )


async def wait_for_element(
    page: PageMethods,
    description: Description,
    scope: Scope,
    wait: float = FIND_WAIT,
    is_wanted: Callable[[Element], bool] = lambda _: True,
) -> Element:
    """Wait for the described element, and until it is as wanted; return it.

    Raises the last error after ``wait`` seconds, or `ElementNotFound` if it is not as wanted.
    """
    deadline = trio.current_time() + wait
    while True:
        try:
            element = _pick(await find_all(page, description, scope), description, scope)
            if is_wanted(element):
                return element
            written = description.write(scope)
            error: CharlotteError = ElementNotFound(f"{written} is not in the expected state.")
        except ElementNotFound as problem:
            error = problem
        if trio.current_time() >= deadline:
            raise error
        await trio.sleep(_PAUSE)
