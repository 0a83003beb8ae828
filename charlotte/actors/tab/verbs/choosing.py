"""Choosing options of native selects and of lists made of ARIA roles.

A list made of ARIA roles is opened, searched (by scrolling, or by typing if it filters) until the
option is there, clicked, and closed again.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import attrs
import trio

from charlotte.actors.tab.actor import Look, TabActor
from charlotte.actors.tab.page.frames import ProbeAnswer
from charlotte.actors.tab.verbs.focus import press_strokes
from charlotte.actors.tab.verbs.keyboard import enter_text, type_at_focus
from charlotte.actors.tab.verbs.pointer import (
    check,
    describe_wait,
    find_point,
    is_answered,
    press_element,
    press_node,
)
from charlotte.actors.tab.verbs.values import find_difference
from charlotte.base.errors import (
    CharlotteError,
    ElementNotInteractive,
    Fatal,
    InvalidArgument,
    adding,
)
from charlotte.browser.input.input import NAMED
from charlotte.browser.world.settle import Checkpoint, checkpoint

_OPEN_WAIT_MS = 1500
_FILTER_WAIT_MS = 500
_SUGGESTION_WAIT_MS = 300
_LONGEST_SEARCH = 20.0
"""Seconds for scrolling through a list that is drawn in parts."""
_ATTEMPTS = 12
"""Attempts to click one option, because a filtering list is rendered again after each letter."""


async def select(tab: TabActor, reference: str, value: str | Sequence[str]) -> Look:
    """Choose an option, or exactly these, and look at the page once it has settled."""
    look = await tab.act(lambda: choose(tab, reference, value), reference)
    for wanted in [value] if isinstance(value, str) else value:
        if is_answered(tab, look):
            difference = await find_difference(tab, reference, wanted, picks=True)
            look = look.with_note(difference) if difference else look
    return look


async def choose(tab: TabActor, reference: str, value: str | Sequence[str]) -> None:
    """Choose an option; for a list of options, deselect all others.

    Raises `InvalidArgument` for a value that is not offered.
    """
    wanted = [value] if isinstance(value, str) else value
    answer = await tab.on_element(reference, "choose", wanted, True)  # noqa: FBT003 - to JavaScript
    if whole := _find_whole(tab, answer):
        wanted = [whole if one == answer["wanted"] else one for one in wanted]
        await choose(tab, reference, wanted)
        return
    if "aria" not in answer:
        if answer.get("error") == "no option":
            answer = await tab.on_element(reference, "chooseLate", wanted, True)  # noqa: FBT003
        check_choice(tab, answer, reference)
        await find_point(tab, reference)
        check_choice(tab, await tab.on_element(reference, "choose", wanted), reference)
        return
    options = _AriaList(tab, reference)
    state = answer["aria"]
    try:
        if isinstance(value, str):
            await options.pick(value, state)
        else:
            await options.pick_all(wanted, state)
    except Fatal:
        raise
    except CharlotteError:
        if state != "open" and await options.get_state() == "open":  # noqa: ASYNC120 - as below
            await options.close(state)  # noqa: ASYNC120 - cancelled: stays open
        raise


def _find_whole(tab: TabActor, answer: ProbeAnswer) -> str | None:
    """Return and note the only option that has the words that no option is, if all are known."""
    if answer.get("error") != "no option" or not answer["wanted"].strip():
        return None
    words = re.compile(rf"(?<!\w){re.escape(answer['wanted'].strip())}(?!\w)", re.IGNORECASE)
    found: list[str] = [option for option in answer["options"] if words.search(option)]
    if len(found) != 1 or "seen" in answer or answer["count"] > len(answer["options"]):
        return None
    tab.note = f"Took {found[0]!r}, the only option with {answer['wanted']!r}."
    return found[0]


async def choose_suggested(tab: TabActor, reference: str, text: str) -> str | None:
    """Type into a combobox, and choose the option with the same text.

    Without such an option, the text stays; returns a note if the field requires an option.
    """
    since = checkpoint(tab.page.activity)
    settled = await tab.settle_after(lambda: enter_text(tab, reference, text))
    wait_ms = _OPEN_WAIT_MS if settled.unsettled else _SUGGESTION_WAIT_MS
    options = _AriaList(tab, reference)
    answer = await options.find_and_click(text, wait_ms, since)
    if answer.get("error") == "no option" and not answer["options"]:  # they may only be loading
        answer = await options.find_and_click(text, _OPEN_WAIT_MS, since)
    if answer.get("error") != "no option":
        check_choice(tab, answer, reference)
        return None
    if not answer.get("wanting"):
        return None
    return f"{_describe_lack(reference, answer)} So none is chosen. {_describe_options(answer)}"


_WAYS = {
    "dialog": "Press it with click, and choose in the dialog.",
    "free": "It takes any text: enter that with type, or give one of its options.",
    "error": "Give the value or the text of one of its options.",
}
"""What to do if an option is missing, by the first of these keys of the probe's answer."""


def check_choice(tab: TabActor, answer: ProbeAnswer, reference: str) -> None:
    """Raise the error for the probe's answer to a choice, if it has an error code."""
    error = answer.get("error")
    if error == "no option":
        raise InvalidArgument(
            f"{_describe_lack(reference, answer)} {_describe_options(answer)}",
            next(way for key, way in _WAYS.items() if key in answer),
            {"options": answer["options"]},
        )
    if error == "single":
        raise InvalidArgument(f"{reference} takes one option.", "Give a single value.")
    if error == "option disabled":
        raise ElementNotInteractive(
            f"The option {answer['wanted']!r} of {reference} is disabled.",
            "Choose another one, or first do what the page requires for it.",
        )
    check(tab, answer, reference)


def _describe_lack(reference: str, answer: ProbeAnswer) -> str:
    """Describe a missing option; a list that is drawn in parts may have more than seen."""
    wanted = answer["wanted"]
    if "seen" not in answer:
        return f"{reference} has no option {wanted!r}{describe_wait(answer)}."
    extent = "not to its end" if "more" in answer else "to its end"
    return (
        f"{reference} has no option {wanted!r} among the {answer['seen']} that were seen. Its list "
        f"is drawn in parts; it was scrolled through {extent}."
    )


def _describe_options(answer: ProbeAnswer) -> str:
    options = answer["options"]
    if not options:
        return f"It opens {answer['dialog']}." if "dialog" in answer else "It is empty."
    listed = ", ".join(map(repr, options))
    if "seen" in answer:
        return f"It shows {listed} now."
    more = answer["count"] - len(options)
    return f"It offers {listed}{f' and {more} more' if more else ''}."


@attrs.frozen
class _AriaList:
    """A list made of ARIA roles: open, closed, or closed and searched by typing ("editable")."""

    tab: TabActor
    reference: str

    async def ask(self, function: str, *arguments: object) -> ProbeAnswer:
        return await self.tab.on_element(self.reference, function, *arguments)

    async def get_state(self) -> str:
        return str((await self.ask("choose", [], True)).get("aria"))  # noqa: FBT003 - to JavaScript

    async def pick_all(self, wanted: Sequence[str], state: str) -> None:
        """Choose these, deselect the others that the list shows, and leave it closed.

        An error lists the options that were chosen before it.
        """
        since = checkpoint(self.tab.page.activity)
        if state != "open":
            await press_element(self.tab, self.reference)
        await self.find(next(iter(wanted), ""), _OPEN_WAIT_MS, since)
        await self._deselect_others(wanted)
        if not wanted and await self._find_others(()):
            raise ElementNotInteractive(f"{self.reference} keeps its option: it takes one.")
        answer: ProbeAnswer = {}
        for count, option in enumerate(wanted):
            before = ", ".join(map(repr, wanted[:count])) or "nothing"
            with adding(partial("Chosen before it: {}.".format, before)):
                answer = await self.pick(option, await self.get_state())
        if state != "open" and await self.get_state() == "open":
            await self.close(state, answer.get("dialog", ""))

    async def _deselect_others(self, wanted: Sequence[str]) -> None:
        """Click other chosen options until none is left; some lists close at every click."""
        last: int | None = None
        for _ in range(200):
            others = await self._find_others(wanted)
            if not others or others[0] == last:
                return
            last = others[0]
            since = checkpoint(self.tab.page.activity)
            await self.click(last, "that is chosen too")
            if await self.get_state() != "open":
                await press_element(self.tab, self.reference)
                await self.find(next(iter(wanted), ""), _FILTER_WAIT_MS, since)

    async def _find_others(self, wanted: Sequence[str]) -> list[int]:
        """Return chosen options that are not wanted, from the first part that shows any."""
        end = trio.current_time() + _LONGEST_SEARCH
        answer = await self.ask("surplus", wanted, "top")
        while "more" in answer and trio.current_time() < end:
            answer = await self.ask("surplus", wanted, "on")
        if "unmarked" in answer or "more" in answer:
            why = "does not mark chosen options" if "unmarked" in answer else "is very long"
            self.tab.note = f"The list of {self.reference} {why}: others may still be chosen."
        return list(answer.get("nids", ()))

    async def pick(self, wanted: str, state: str) -> ProbeAnswer:
        """Choose an option: open the list, find the option, click it."""
        tab, reference = self.tab, self.reference
        since = checkpoint(tab.page.activity)
        if state != "open":
            await press_element(self.tab, self.reference)
        wait_ms = _FILTER_WAIT_MS if state == "editable" else _OPEN_WAIT_MS
        answer = await self.find(wanted, wait_ms, since)
        is_searched = state == "editable" or {"search", "open"} <= answer.keys()
        if is_searched and answer.get("error") == "no option":  # offered once it is typed, perhaps
            since = checkpoint(tab.page.activity)
            if state == "editable":
                check(tab, await self.ask("focusText", True), reference)  # noqa: FBT003 - to JavaScript
            await tab.settle_after(lambda: type_at_focus(tab, wanted))
        answer = await self.find_and_click(wanted, _OPEN_WAIT_MS, since)
        if (whole := _find_whole(tab, answer)) is not None:
            answer = await self.find_and_click(whole, _OPEN_WAIT_MS, since)
        dialog = answer.get("dialog", "") if answer.get("chosen") is False else ""
        if state != "open" and "open" in answer and (dialog or answer.get("chosen") is not False):
            await self.close(state, dialog)  # also if it is empty, and so not found to be open
        check_choice(tab, answer, reference)
        return answer

    async def find_and_click(self, wanted: str, wait_ms: int, since: Checkpoint) -> ProbeAnswer:
        """Find an option, scrolling the list while that shows more, and click it.

        Returns the probe's answer, also if the option is not offered.
        """
        for _ in range(_ATTEMPTS):
            answer = await self.find(wanted, wait_ms, since, "top")
            end = trio.current_time() + _LONGEST_SEARCH
            while "more" in answer and trio.current_time() < end:
                answer = await self.ask("pickWithin", wanted, 0, "on")
            if answer.get("chosen") is not False:  # there is nothing to click
                return answer
            if await self.click(answer["nid"], wanted):
                return answer
        raise ElementNotInteractive(
            f"{self.reference} replaced its option {wanted!r} each time before the click."
        )

    async def find(self, wanted: str, wait_ms: int, since: Checkpoint, *paging: str) -> ProbeAnswer:
        """Find an option in an open list, which may still be loading.

        A list with other options is complete once the page has settled since the checkpoint; an
        empty list gets ``wait_ms`` to be filled.
        """
        early = True
        answer = await self.ask("pickWithin", wanted, wait_ms, "", early)
        if "early" in answer:
            settled = await self.tab.wait_until_settled(since)
            wait_ms = wait_ms if settled.unsettled else 0
        elif paging and answer.get("error") == "no option":
            wait_ms = 0
        else:
            return answer
        return await self.ask("pickWithin", wanted, wait_ms, *paging)

    async def click(self, nid: int, wanted: str) -> bool:
        """Click an option; return False if the list was rendered again meanwhile."""
        place = await self.tab.resolve(self.reference)
        name = f"the option {wanted!r} of {self.reference}"
        return await press_node(self.tab, place.with_nid(nid), name)

    async def close(self, state: str, dialog: str = "") -> None:
        """Close a list that was opened for a choice, by Escape, or else by a click on its widget.

        Adds a note if the list is still open. A dialog that wants a confirmation stays open.
        """
        tab = self.tab
        if dialog:
            tab.note = f"Chosen in {dialog}, which is open: confirm the choice with its button."
            return
        await tab.settle_after(lambda: press_strokes(tab, (NAMED["Escape"], ())))
        now = await self.ask("choose", [], True)  # noqa: FBT003 - to JavaScript
        if state == "closed" and now.get("aria") == "open" and "inside" not in now:
            with suppress(ElementNotInteractive):
                await tab.settle_after(lambda: press_element(tab, self.reference))
        if await self.get_state() == "open":
            tab.note = f"The list of {self.reference} is still open: press Escape."
