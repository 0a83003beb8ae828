"""Tools that choose: an option of a list, the other state of a switch."""

import math
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

import trio

from charlotte.actors.tab.actor import Tab
from charlotte.browser.input import press, type_text
from charlotte.browser.keys import NAMED
from charlotte.browser.settle import Mark, mark
from charlotte.errors import CharlotteError, ElementNotInteractive, Fatal, InvalidArgument
from charlotte.tools.aiming import (
    ACTION_DEADLINE,
    check,
    point_of,
    press_element,
    press_node,
)
from charlotte.tools.answer import Answer
from charlotte.tools.checking import saying_if_unchanged
from charlotte.tools.entering import enter
from charlotte.tools.pages import page_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.json_schema import Limits
from charlotte.tools.schema.parameters import Detail, ElementId
from charlotte.tools.schema.tool import tool

_OPEN_WAIT_MS = 1500
_FILTER_WAIT_MS = 500
_SUGGESTION_WAIT_MS = 300
_LONGEST_LIST = 1000
_LONGEST_SEARCH = 20.0
"""Seconds in which a list that is drawn in parts is scrolled through."""
_ATTEMPTS = 12
"""A list that filters makes itself anew for every letter while one reaches for its option."""

Values = Annotated[list[str], Limits(min_length=1, max_length=_LONGEST_LIST)]


@tool(group="interaction", position=330, deadline=ACTION_DEADLINE)
async def select(
    tab: Tab,
    element_id: ElementId,
    value: Annotated[str | Values, "Value or visible text of an option, or a list of them"],
    *,
    detail: Detail = "delta",
) -> Answer[Page]:
    """Choose options of a select, listbox or combobox and return what changed.

    In a multiple select, a list replaces the selection. For an unknown option, the error lists
    the existing ones.
    """
    look = await tab.act(lambda: choose(tab, element_id, value), element_id)
    return page_answer(tab, look, detail)


@tool(group="interaction", position=340, deadline=ACTION_DEADLINE)
async def toggle(tab: Tab, element_id: ElementId, *, detail: Detail = "delta") -> Answer[Page]:
    """Click a checkbox, radio button or switch and return its new state."""
    check(await tab.on_element(element_id, "checked"), element_id)
    look = await tab.act(lambda: press_element(tab, element_id), element_id)
    return page_answer(tab, saying_if_unchanged(tab, look, element_id), detail)


async def choose(tab: Tab, reference: str, value: str | Sequence[str]) -> None:
    """Choose an option, or these and no others that can be seen to be chosen.

    Raises `InvalidArgument` for one that is not offered.
    """
    wanted = [value] if isinstance(value, str) else value
    answer = await tab.on_element(reference, "choose", wanted, True)  # noqa: FBT003 - to JavaScript
    if "aria" not in answer:
        check_choice(answer, reference)
        await point_of(tab, reference)
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
            await _close_if_open(tab, reference, state)  # noqa: ASYNC120 - nobody waits then
        raise


async def _pick_all(tab: Tab, reference: str, wanted: Sequence[str], state: str) -> None:
    """Choose these in a widget made of ARIA, give up others that it shows, and leave it closed.

    An error says which options were chosen before it.
    """
    since = mark(tab.page.activity)
    if state != "open":
        await press_element(tab, reference)
    await _looked_for(tab, reference, wanted[0], _OPEN_WAIT_MS, since)
    dropped = await _drop_others(tab, reference, wanted)
    chosen: list[str] = []
    for option in wanted:
        try:
            await _pick(tab, reference, option, await _state(tab, reference))
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
        await _close_if_open(tab, reference, state)


async def _drop_others(tab: Tab, reference: str, wanted: Sequence[str]) -> int:
    """Click what is chosen besides, as long as that helps; some lists close at every click.

    Returns how many were given up.
    """
    before = math.inf
    clicks = 0
    while 0 < len(nids := await _others(tab, reference, wanted)) < before:
        before = len(nids)
        since = mark(tab.page.activity)
        await _click_option(tab, reference, nids[0], "that is chosen besides")
        clicks += 1
        if await _state(tab, reference) != "open":
            await press_element(tab, reference)
            await _looked_for(tab, reference, wanted[0], _FILTER_WAIT_MS, since)
    return clicks


async def _others(tab: Tab, reference: str, wanted: Sequence[str]) -> list[int]:
    """The numbers of the options that an open list says are chosen too."""
    answer = await tab.on_element(reference, "surplus", wanted)
    nids: list[int] = answer.get("nids", [])
    return nids


async def _state(tab: Tab, reference: str) -> str:
    """Whether its list is open, closed or closed and searched by typing ("editable")."""
    answer = await tab.on_element(reference, "choose", [], True)  # noqa: FBT003 - to JavaScript
    return str(answer.get("aria"))


def check_choice(answer: dict[str, Any], reference: str) -> None:
    """Raise what the probe has against a choice, if anything."""
    error = answer.get("error")
    if error == "no option":
        raise InvalidArgument(
            f"{_lack(reference, answer)} {_offers(answer)}",
            "Give the value or the text of one of its options.",
            {"options": answer["options"]},
        )
    if error == "single":
        raise InvalidArgument(f"{reference} takes one option at a time.", "Give a single value.")
    if error == "option disabled":
        raise ElementNotInteractive(
            f"The option {answer['wanted']!r} of {reference} is disabled.",
            "Choose another one, or first do what the page wants for it.",
        )
    check(answer, reference)


def _lack(reference: str, answer: dict[str, Any]) -> str:
    """Say that an option was not found; a list that is drawn in parts may have more than seen."""
    wanted = answer["wanted"]
    if "seen" not in answer:
        return f"{reference} has no option {wanted!r}."
    extent = "not to its end" if "more" in answer else "to its end"
    return (
        f"{reference} has no option {wanted!r} among the {answer['seen']} that were seen. Its list "
        f"is drawn in parts; it was scrolled through {extent}."
    )


def _offers(answer: dict[str, Any]) -> str:
    options = answer["options"]
    if not options:
        return "It is empty."
    if "seen" in answer:
        return f"It shows {', '.join(map(repr, options))} now."
    more = answer["count"] - len(options)
    listed = ", ".join(repr(option) for option in options)
    return f"It offers {listed}{f' and {more} more' if more else ''}."


async def _pick(tab: Tab, reference: str, wanted: str, state: str) -> None:
    """Choose in a widget made of ARIA: open it, look for the option, click that."""
    since = mark(tab.page.activity)
    if state != "open":
        await press_element(tab, reference)
    if state == "editable":
        await _filter(tab, reference, wanted, since)
    answer = await _taken(tab, reference, wanted, _OPEN_WAIT_MS, since)
    if answer.get("error") == "no option" and "search" in answer and "open" in answer:
        since = mark(tab.page.activity)
        await tab.settling(lambda: type_text(tab.page.session, wanted, pause=0.0))
        answer = await _taken(tab, reference, wanted, _OPEN_WAIT_MS, since)
    if state != "open" and "open" in answer and not _is_clicked(answer):
        await _close(tab, reference, state)
    check_choice(answer, reference)


def _is_clicked(answer: dict[str, Any]) -> bool:
    """Whether the probe's answer was of an option that has then been clicked."""
    return answer.get("chosen") is False


async def _close_if_open(tab: Tab, reference: str, state: str) -> None:
    if await _state(tab, reference) == "open":
        await _close(tab, reference, state)


async def _close(tab: Tab, reference: str, state: str) -> None:
    """Close the list that was opened for a choice: by Escape, or else where it was opened.

    A note says if that did not close it.
    """

    async def escape() -> None:
        async with tab.page.answering():
            await press(tab.page.session, NAMED["Escape"])

    await tab.settling(escape)
    if state == "closed" and await _state(tab, reference) == "open":
        with suppress(ElementNotInteractive):
            await tab.settling(lambda: press_element(tab, reference))
    if await _state(tab, reference) == "open":
        tab.references.note(f"The list of {reference} is still open: press Escape.")


async def _looked_for(
    tab: Tab, reference: str, wanted: str, wait_ms: int, since: Mark, *paging: str
) -> dict[str, Any]:
    """Look for an option in an open list, which may still be filled.

    A list that offers others is complete once the page has settled since the mark; else the option
    is waited for as long as is given.
    """
    early = True
    answer = await tab.on_element(reference, "pick", wanted, wait_ms, "", early)
    if "early" in answer:
        settled = await tab.settled(since)
        wait_ms = wait_ms if settled.unsettled else 0
    elif paging and answer.get("error") == "no option":
        wait_ms = 0
    else:
        return answer
    return await tab.on_element(reference, "pick", wanted, wait_ms, *paging)


async def _search(
    tab: Tab, reference: str, wanted: str, wait_ms: int, since: Mark
) -> dict[str, Any]:
    """Look for an option in an open list, which is scrolled as long as that shows more."""
    answer = await _looked_for(tab, reference, wanted, wait_ms, since, "top")
    end = trio.current_time() + _LONGEST_SEARCH
    while "more" in answer and trio.current_time() < end:
        answer = await tab.on_element(reference, "pick", wanted, 0, "on")
    return answer


async def _taken(
    tab: Tab, reference: str, wanted: str, wait_ms: int, since: Mark
) -> dict[str, Any]:
    """Click the option once it is offered; the probe's answer, also where it is not."""
    for _ in range(_ATTEMPTS):
        answer = await _search(tab, reference, wanted, wait_ms, since)
        if not _is_clicked(answer):
            return answer
        if await _click_option(tab, reference, answer["nid"], wanted):
            return answer
    raise ElementNotInteractive(
        f"{reference} replaced its option {wanted!r} whenever it was to be clicked."
    )


async def choose_suggested(tab: Tab, reference: str, text: str) -> str | None:
    """Type into a combobox, and take the option that says the same.

    Where it has none, the text stays; returns what is to be said if that may be no answer.
    """
    since = mark(tab.page.activity)
    settled = await tab.settling(lambda: enter(tab, reference, text))
    wait_ms = _OPEN_WAIT_MS if settled.unsettled else _SUGGESTION_WAIT_MS
    answer = await _taken(tab, reference, text, wait_ms, since)
    if answer.get("error") != "no option":
        check_choice(answer, reference)
        return None
    if not answer.get("wanting"):
        return None
    return f"{_lack(reference, answer)} So none is chosen. {_offers(answer)}"


async def _filter(tab: Tab, reference: str, wanted: str, since: Mark) -> None:
    """Type into a list that may offer the option only then."""
    answer = await _looked_for(tab, reference, wanted, _FILTER_WAIT_MS, since)
    if answer.get("error") == "no option":
        check(await tab.on_element(reference, "focusText", True), reference)  # noqa: FBT003
        await tab.settling(lambda: type_text(tab.page.session, wanted, pause=0.0))


async def _click_option(tab: Tab, reference: str, nid: int, wanted: str) -> bool:
    """Click an option; False when the list made itself anew meanwhile."""
    place = await tab.references.place(reference)
    return await press_node(tab, place.with_nid(nid), f"the option {wanted!r} of {reference}")
