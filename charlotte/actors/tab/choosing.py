"""Choosing verbs: select options of a list, toggle a checkbox or switch.

A list made of ARIA roles is opened, searched (by scrolling, or by typing if it filters) until the
option is there, clicked, and closed again.
"""

import math
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import trio

from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.keyboard import enter_text, press_stroke
from charlotte.actors.tab.look import Look
from charlotte.actors.tab.pointer import (
    check,
    find_point,
    note_if_unchanged,
    press_element,
    press_node,
)
from charlotte.browser.input import NAMED, type_text
from charlotte.browser.settle import Checkpoint, checkpoint
from charlotte.errors import CharlotteError, ElementNotInteractive, Fatal, InvalidArgument

_OPEN_WAIT_MS = 1500
_FILTER_WAIT_MS = 500
_SUGGESTION_WAIT_MS = 300
_LONGEST_SEARCH = 20.0
"""Seconds for scrolling through a list that is drawn in parts."""
_ATTEMPTS = 12
"""Clicks on one option; a list that filters is rendered again after every letter."""


async def select(tab: TabActor, reference: str, value: str | Sequence[str]) -> Look:
    """Choose an option, or exactly these, and look at the page once it has settled."""
    return await tab.act(lambda: choose(tab, reference, value), reference)


async def toggle(tab: TabActor, reference: str) -> Look:
    """Click a checkbox, radio button or switch and look at the page once it has settled."""
    check(await tab.on_element(reference, "checked"), reference)
    look = await tab.act(lambda: press_element(tab, reference), reference)
    return note_if_unchanged(tab, look, reference)


async def choose(tab: TabActor, reference: str, value: str | Sequence[str]) -> None:
    """Choose an option, or these and none of the others that are shown as chosen.

    Raises `InvalidArgument` for a value that is not offered.
    """
    wanted = [value] if isinstance(value, str) else value
    answer = await tab.on_element(reference, "choose", wanted, True)  # noqa: FBT003 - to JavaScript
    if "aria" not in answer:
        check_choice(answer, reference)
        await find_point(tab, reference)
        check_choice(await tab.on_element(reference, "choose", wanted), reference)
        return
    state = answer["aria"]
    if "closing" in answer:  # a list that is opened while it closes may stay invisible
        await tab.on_element(reference, "awaitClosed")
    try:
        if isinstance(value, str):
            await _pick(tab, reference, value, state)
        else:
            await _pick_all(tab, reference, wanted, state)
    except Fatal:
        raise
    except CharlotteError:
        if state != "open":
            await _close(tab, reference, state)  # noqa: ASYNC120 - cancelled: stays open
        raise


async def choose_suggested(tab: TabActor, reference: str, text: str) -> str | None:
    """Type into a combobox, and choose the option with the same text.

    Without such an option, the text stays; returns a note if the field requires an option.
    """
    since = checkpoint(tab.page.activity)
    settled = await tab.settle_after(lambda: enter_text(tab, reference, text))
    wait_ms = _OPEN_WAIT_MS if settled.unsettled else _SUGGESTION_WAIT_MS
    answer = await _find_and_click(tab, reference, text, wait_ms, since)
    if answer.get("error") != "no option":
        check_choice(answer, reference)
        return None
    if not answer.get("wanting"):
        return None
    return f"{_describe_lack(reference, answer)} So none is chosen. {_describe_options(answer)}"


def check_choice(answer: dict[str, Any], reference: str) -> None:
    """Raise the error for the probe's answer to a choice, if it has an error code."""
    error = answer.get("error")
    if error == "no option":
        raise InvalidArgument(
            f"{_describe_lack(reference, answer)} {_describe_options(answer)}",
            "Give the value or the text of one of its options.",
            {"options": answer["options"]},
        )
    if error == "single":
        raise InvalidArgument(f"{reference} takes one option at a time.", "Give a single value.")
    if error == "option disabled":
        raise ElementNotInteractive(
            f"The option {answer['wanted']!r} of {reference} is disabled.",
            "Choose another one, or first do what the page requires for it.",
        )
    check(answer, reference)


def _describe_lack(reference: str, answer: dict[str, Any]) -> str:
    """Describe a missing option; a list that is drawn in parts may have more than seen."""
    wanted = answer["wanted"]
    if "seen" not in answer:
        return f"{reference} has no option {wanted!r}."
    extent = "not to its end" if "more" in answer else "to its end"
    return (
        f"{reference} has no option {wanted!r} among the {answer['seen']} that were seen. Its list "
        f"is drawn in parts; it was scrolled through {extent}."
    )


def _describe_options(answer: dict[str, Any]) -> str:
    options = answer["options"]
    if not options:
        return "It is empty."
    listed = ", ".join(map(repr, options))
    if "seen" in answer:
        return f"It shows {listed} now."
    more = answer["count"] - len(options)
    return f"It offers {listed}{f' and {more} more' if more else ''}."


async def _pick_all(tab: TabActor, reference: str, wanted: Sequence[str], state: str) -> None:
    """Choose these in an ARIA list, deselect the others that it shows, and leave it closed.

    An error lists the options that were chosen before it.
    """
    since = checkpoint(tab.page.activity)
    if state != "open":
        await press_element(tab, reference)
    await _find_option(tab, reference, wanted[0], _OPEN_WAIT_MS, since)
    dropped = await _deselect_others(tab, reference, wanted)
    chosen: list[str] = []
    for option in wanted:
        try:
            await _pick(tab, reference, option, await _get_state(tab, reference))
        except Fatal:
            raise
        except CharlotteError as error:
            before = f" Chosen before it: {', '.join(map(repr, chosen)) or 'nothing'}."
            if dropped:
                before += f" Deselected before it: {dropped} other{'s' * (dropped > 1)}."
            message = f"{error.message}{before}"
            raise type(error)(message, error.suggestion, error.details) from error
        chosen.append(option)
    if state != "open":
        await _close(tab, reference, state)


async def _deselect_others(tab: TabActor, reference: str, wanted: Sequence[str]) -> int:
    """Click the other chosen options while that makes them fewer; return how many were clicked.

    Some lists close at every click.
    """
    before = math.inf
    clicks = 0
    while True:
        answer = await tab.on_element(reference, "surplus", wanted)
        others: list[int] = answer.get("nids", [])
        if not 0 < len(others) < before:
            return clicks
        before = len(others)
        since = checkpoint(tab.page.activity)
        await _click_option(tab, reference, others[0], "that is chosen too")
        clicks += 1
        if await _get_state(tab, reference) != "open":
            await press_element(tab, reference)
            await _find_option(tab, reference, wanted[0], _FILTER_WAIT_MS, since)


async def _get_state(tab: TabActor, reference: str) -> str:
    """Return whether a list is open, closed, or closed and searched by typing ("editable")."""
    answer = await tab.on_element(reference, "choose", [], True)  # noqa: FBT003 - to JavaScript
    return str(answer.get("aria"))


async def _pick(tab: TabActor, reference: str, wanted: str, state: str) -> None:
    """Choose an option in an ARIA list: open the list, find the option, click it."""
    since = checkpoint(tab.page.activity)
    if state != "open":
        await press_element(tab, reference)
    if state == "editable":
        answer = await _find_option(tab, reference, wanted, _FILTER_WAIT_MS, since)
        if answer.get("error") == "no option":  # the list may offer it once it is typed
            check(await tab.on_element(reference, "focusText", True), reference)  # noqa: FBT003
            await tab.settle_after(lambda: type_text(tab.page.session, wanted, pause=0.0))
    answer = await _find_and_click(tab, reference, wanted, _OPEN_WAIT_MS, since)
    if answer.get("error") == "no option" and "search" in answer and "open" in answer:
        since = checkpoint(tab.page.activity)
        await tab.settle_after(lambda: type_text(tab.page.session, wanted, pause=0.0))
        answer = await _find_and_click(tab, reference, wanted, _OPEN_WAIT_MS, since)
    if state != "open" and "open" in answer and answer.get("chosen") is not False:
        await _close(tab, reference, state)
    check_choice(answer, reference)


async def _find_and_click(
    tab: TabActor, reference: str, wanted: str, wait_ms: int, since: Checkpoint
) -> dict[str, Any]:
    """Find an option, scrolling the list while that shows more, and click it.

    Returns the probe's answer, also if the option is not offered.
    """
    for _ in range(_ATTEMPTS):
        answer = await _find_option(tab, reference, wanted, wait_ms, since, "top")
        end = trio.current_time() + _LONGEST_SEARCH
        while "more" in answer and trio.current_time() < end:
            answer = await tab.on_element(reference, "pick", wanted, 0, "on")
        if answer.get("chosen") is not False:  # there is nothing to click
            return answer
        if await _click_option(tab, reference, answer["nid"], wanted):
            return answer
    raise ElementNotInteractive(
        f"{reference} replaced its option {wanted!r} each time before the click."
    )


async def _find_option(
    tab: TabActor, reference: str, wanted: str, wait_ms: int, since: Checkpoint, *paging: str
) -> dict[str, Any]:
    """Find an option in an open list, which may still be loading.

    A list with other options is complete once the page has settled since the checkpoint; an empty
    list gets ``wait_ms`` to be filled.
    """
    early = True
    answer = await tab.on_element(reference, "pick", wanted, wait_ms, "", early)
    if "early" in answer:
        settled = await tab.wait_until_settled(since)
        wait_ms = wait_ms if settled.unsettled else 0
    elif paging and answer.get("error") == "no option":
        wait_ms = 0
    else:
        return answer
    return await tab.on_element(reference, "pick", wanted, wait_ms, *paging)


async def _click_option(tab: TabActor, reference: str, nid: int, wanted: str) -> bool:
    """Click an option; return False if the list was rendered again meanwhile."""
    place = await tab.resolve(reference)
    return await press_node(tab, place.with_nid(nid), f"the option {wanted!r} of {reference}")


async def _close(tab: TabActor, reference: str, state: str) -> None:
    """Close a list that was opened for a choice, by Escape, or else by a click where it opened.

    Adds a note if the list is still open.
    """
    if await _get_state(tab, reference) != "open":
        return
    await tab.settle_after(lambda: press_stroke(tab, (NAMED["Escape"], ())))
    if state == "closed" and await _get_state(tab, reference) == "open":
        with suppress(ElementNotInteractive):
            await tab.settle_after(lambda: press_element(tab, reference))
    if await _get_state(tab, reference) == "open":
        tab.note = f"The list of {reference} is still open: press Escape."
