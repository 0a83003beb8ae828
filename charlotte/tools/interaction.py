"""Tools that act on a page as a person would, run JavaScript in it, or wait for it."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

import attrs

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab import evaluate as scripts
from charlotte.actors.tab import forms, keyboard, pointer
from charlotte.actors.tab import wait_for as waiting
from charlotte.actors.tab.actor import Look
from charlotte.actors.tab.forms import FieldValue
from charlotte.actors.tab.keyboard import PER_CHARACTER
from charlotte.actors.tab.pointer import Align, Axis, Distance
from charlotte.actors.tab.wait_for import State, WaitConditions
from charlotte.browser.evaluate import ScriptValue
from charlotte.browser.input import ClickType, chord
from charlotte.errors import InvalidArgument
from charlotte.page.model import compact_json
from charlotte.tools.answer import Answer, Page
from charlotte.tools.answer_format import wants_text
from charlotte.tools.pages import json_answer, page_answer, success
from charlotte.tools.schema.arguments import (
    ACTION_DEADLINE,
    ChangesDetail,
    ElementId,
    Limits,
    Modifiers,
    Offset,
    Pixel,
    Rare,
    RareDetail,
    Timeout,
    Unlisted,
)
from charlotte.tools.schema.tool import tool

_WaitMs = Annotated[int, Limits(minimum=0, maximum=10_000)]

WaitAfter = Annotated[_WaitMs, Rare, "Time to wait afterwards in ms; 0: until the page settles."]
UnlistedWait = Annotated[_WaitMs, Unlisted]

_BY_POINT = "only click_at takes x and y; pass element_id to click"
_LONGEST_TEXT = 100_000
_LONGEST_AT_POINT = 10_000
_MOST_KEYS = 100
_LONGEST_DELAY_MS = 5000
KEYS_DEADLINE = ACTION_DEADLINE + _MOST_KEYS * _LONGEST_DELAY_MS / 1000
_DIRECTIONS: Mapping[str, tuple[Axis, int]] = {
    "up": ("y", -1),
    "down": ("y", 1),
    "left": ("x", -1),
    "right": ("x", 1),
}
_WINDOW_SIZES = {"page": 1.0, "half": 0.5}
_SCROLL_FORMS = (
    "Pass direction (with amount, and element_id for a container), or element_id with block or "
    "inline to scroll it into view, or x, y and direction or scroll_offset for the wheel."
)
_TRUNCATION = 150
"""Characters reserved for the truncation of a value."""


@attrs.frozen
class Coordinates:
    """A point of the viewport in CSS px (S-COORD)."""

    x: int
    y: int


UnlistedCoordinates = Annotated[Coordinates | None, Unlisted]


def check_point(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` unless x and y, or coordinates, are given."""
    read_point(arguments["x"], arguments["y"], arguments["coordinates"])


def read_point(x: int | None, y: int | None, coordinates: Coordinates | None) -> tuple[int, int]:
    """Return the point that a call gives; raises `InvalidArgument`."""
    if coordinates is not None:
        return coordinates.x, coordinates.y
    if x is None or y is None:
        raise InvalidArgument(
            "x and y, or coordinates, are required.", 'Pass a point such as {"x": 100, "y": 40}.'
        )
    return x, y


def point_envelope(tab: TabHandle, action: str, at: tuple[int, int], look: Look) -> dict[str, Any]:
    """Return the envelope of a successful action at a point (S-ACT-01)."""
    used = {"coordinates_used": dict(zip("xy", at, strict=True)), "action_timestamp": look.acted_at}
    return success(tab, action, used)


@tool(
    group="interaction",
    title="Click an element",
    destructive=True,
    position=300,
    deadline=ACTION_DEADLINE,
    hints={"x": _BY_POINT, "y": _BY_POINT},
)
async def click(
    tab: TabHandle,
    element_id: ElementId,
    *,
    click_type: Annotated[ClickType, "Mouse button; double: two left clicks."] = "left",
    modifiers: Modifiers = (),
    detail: ChangesDetail = "delta",
) -> Answer[Page]:
    """Click an element and return what changed, or the new page after a navigation.

    Fails, with the reason, if the element is covered, hidden or disabled.
    """
    look = await tab.do(pointer.click, element_id, click_type, modifiers)
    return page_answer(tab.record, look, detail)


def _check_place(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` unless there is one place to type into, and room for the text."""
    by_point = any(arguments[name] is not None for name in ("x", "y", "coordinates"))
    if (arguments["element_id"] is None) is not by_point:
        raise InvalidArgument(
            "type needs either element_id, or x and y.",
            "Pass a field's id from observe or find, or a point if the field has no id.",
        )
    if not by_point:
        return
    check_point(arguments)
    if (length := len(arguments["text"])) > _LONGEST_AT_POINT:
        raise InvalidArgument(
            f"text must have at most {_LONGEST_AT_POINT} characters at a point, got {length}.",
            "Pass element_id instead of x and y.",
        )


@tool(
    group="interaction",
    title="Type text",
    destructive=True,
    position=320,
    deadline=ACTION_DEADLINE + PER_CHARACTER * _LONGEST_TEXT,
    check=_check_place,
)
async def type_(
    tab: TabHandle,
    text: Annotated[str, Limits(max_length=_LONGEST_TEXT), "Text, or the name of a secret."],
    *,
    element_id: Annotated[ElementId | None, "Id of the field."] = None,
    x: Annotated[Pixel | None, "With y, instead of element_id: point to click, in CSS px."] = None,
    y: Annotated[Pixel | None, "CSS px from the top."] = None,
    coordinates: UnlistedCoordinates = None,
    clear_first: Annotated[bool | None, "Replace the text. Default: true with element_id."] = None,
    press_enter: Annotated[bool, "Press Enter at the end."] = False,
    slowly: Annotated[bool, "Pause 50 ms between keys."] = False,
    wait_after_action: UnlistedWait = 0,
    detail: ChangesDetail = "delta",
) -> Answer[Page]:
    """Type text into a field with keys (long text is pasted) and return what changed.

    Date, time, color and range fields take a value such as 2026-05-01, 14:30, #ff0000 or 7.
    """
    typed = tab.record.session.settings.secrets.spelled(text)
    pause = 0.05 if slowly else 0.0
    if element_id is not None:
        look = await tab.do(
            keyboard.type_into,
            element_id,
            typed,
            clear=clear_first is not False,
            pause=pause,
            press_enter=press_enter,
        )
        return page_answer(tab.record, look, detail)
    at = read_point(x, y, coordinates)
    look = await tab.do(
        keyboard.type_at,
        at,
        typed,
        clear=clear_first is True,
        pause=pause,
        press_enter=press_enter,
        wait_ms=wait_after_action,
    )
    return page_answer(tab.record, look, detail, extras=point_envelope(tab, "type", at, look))


def _check_keys(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` unless one of key and keys is given, with known names."""
    name, names = arguments["key"], arguments["keys"]
    if name is not None and names is not None:
        raise InvalidArgument(
            "key and keys must not both be given.", "Pass all keys in keys, in order."
        )
    if not name and not names:
        raise InvalidArgument(
            "key or keys is required.", 'Pass a key, such as key{"key": "Enter"}.'
        )
    for each in names or [name or ""]:
        chord(each, arguments["modifiers"])


@tool(
    group="interaction",
    title="Press keys",
    destructive=True,
    position=410,
    deadline=KEYS_DEADLINE,
    check=_check_keys,
)
async def key(
    tab: TabHandle,
    key: Annotated[str | None, "Key to press, such as Enter, a or Control+a."] = None,
    *,
    keys: Annotated[
        list[str] | None, Limits(max_length=_MOST_KEYS), "Several keys, in order."
    ] = None,
    modifiers: Modifiers = (),
    element_id: Annotated[ElementId | None, "Id of an element to focus first."] = None,
    delay: Annotated[
        int, Limits(minimum=0, maximum=_LONGEST_DELAY_MS), "Pause between two keys in ms."
    ] = 0,
    wait_after_action: UnlistedWait = 0,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Press keys (Enter, Escape, Tab, ArrowDown, a, Control+a …) and return what changed.

    To enter text, use type.
    """
    strokes = [chord(name, modifiers) for name in keys or [key or ""]]
    look = await tab.do(
        keyboard.press_keys, strokes, element_id, delay_ms=delay, wait_ms=wait_after_action
    )
    return page_answer(tab.record, look, detail)


@tool(
    group="interaction",
    title="Click at a point",
    destructive=True,
    position=310,
    deadline=ACTION_DEADLINE,
    check=check_point,
)
async def click_at(
    tab: TabHandle,
    x: Annotated[Pixel | None, "CSS px from the left of the viewport; required."] = None,
    y: Annotated[Pixel | None, "CSS px from the top of the viewport; required."] = None,
    *,
    coordinates: UnlistedCoordinates = None,
    click_type: Annotated[ClickType, "Mouse button; double: two left clicks."] = "left",
    modifiers: Modifiers = (),
    wait_after_action: WaitAfter = 0,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Click a point of the viewport, such as one in a screenshot, and return what changed."""
    at = read_point(x, y, coordinates)
    look = await tab.do(pointer.click_at, at, click_type, modifiers, wait_after_action)
    return page_answer(tab.record, look, detail, extras=point_envelope(tab, "click", at, look))


@tool(group="interaction", title="Hover over an element", position=390, deadline=ACTION_DEADLINE)
async def hover(
    tab: TabHandle, element_id: ElementId, *, detail: RareDetail = "delta"
) -> Answer[Page]:
    """Move the mouse over an element and return what changed, such as a menu that opened."""
    return page_answer(tab.record, await tab.do(pointer.hover, element_id), detail)


@tool(
    group="interaction",
    title="Drag and drop",
    destructive=True,
    position=400,
    deadline=ACTION_DEADLINE,
)
async def drag(
    tab: TabHandle,
    source_id: Annotated[ElementId, "Id of the element to drag."],
    target_id: Annotated[ElementId, "Id of the element, landmark or heading to drop it on."],
    *,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Drag one element onto another (or onto a landmark or heading) and return what changed."""
    return page_answer(tab.record, await tab.do(pointer.drag, source_id, target_id), detail)


def _check_form(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` unless the arguments are one of the three forms."""
    _distance("down", arguments["amount"])
    points = ("x", "y", "coordinates", "scroll_offset")
    is_wheel = any(arguments[name] is not None for name in points)
    if is_wheel:
        check_point(arguments)
    if arguments["direction"] is not None or arguments["scroll_offset"] is not None:
        return
    if is_wheel:
        raise InvalidArgument("direction or scroll_offset is required at a point.", _SCROLL_FORMS)
    if arguments["element_id"] is None:
        raise InvalidArgument("direction, element_id, or x and y are required.", _SCROLL_FORMS)


@tool(
    group="interaction", title="Scroll", position=380, deadline=ACTION_DEADLINE, check=_check_form
)
async def scroll(
    tab: TabHandle,
    *,
    direction: Annotated[
        Literal["up", "down", "left", "right"] | None,
        "Required without element_id and scroll_offset.",
    ] = None,
    amount: Annotated[
        str | float, "Distance: page (one window), half (half a window) or a number of CSS px."
    ] = "page",
    element_id: Annotated[
        ElementId | None,
        "Container to scroll; without direction, element to scroll into view.",
    ] = None,
    block: Annotated[
        Align | None, Rare, "Vertical position after scrolling into view. Default: start."
    ] = None,
    inline: Annotated[Align | None, Rare, "Horizontal position likewise. Default: nearest."] = None,
    x: Annotated[Pixel | None, "With y: point at which to turn the wheel, in CSS px."] = None,
    y: Annotated[Pixel | None, "CSS px from the top; goes with x."] = None,
    coordinates: UnlistedCoordinates = None,
    scroll_offset: Annotated[
        Offset | None, Rare, "At a point: distance, instead of direction and amount."
    ] = None,
    wait_after_action: UnlistedWait = 0,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Scroll; return what appeared, and the new position and extent.

    observe and find also see outside the viewport: scroll for screenshots and lazy loading.
    """
    if scroll_offset is not None or coordinates is not None or x is not None or y is not None:
        at = read_point(x, y, coordinates)
        turn = (
            (scroll_offset.x, scroll_offset.y)
            if scroll_offset
            else _distance(direction or "down", amount)
        )
        look = await tab.do(pointer.turn_wheel, at, turn, wait_after_action)
        envelope = point_envelope(tab, "scroll", at, look)
    elif direction is not None:
        look = await tab.do(pointer.scroll_by, _distance(direction, amount), element_id)
        envelope = {}
    else:
        assert element_id is not None  # noqa: S101 - checked in `_check_form`
        look, moved = await tab.do(
            pointer.scroll_into_view, element_id, block or "start", inline or "nearest"
        )
        offset = look.snapshot.view.scroll
        data = {
            "node_id": element_id,
            "scrolled": moved,
            "new_viewport_position": {"scroll_x": offset.x, "scroll_y": offset.y},
        }
        envelope = success(tab, "scroll", data)
    return page_answer(tab.record, look, detail, extras=envelope)


def _distance(direction: str, amount: str | float) -> Distance:
    axis, sign = _DIRECTIONS[direction]
    if isinstance(amount, str) and amount in _WINDOW_SIZES:
        return Distance(axis, sign * _WINDOW_SIZES[amount], "pages")
    try:
        return Distance(axis, sign * float(amount), "px")
    except ValueError:
        raise InvalidArgument(
            f'amount must be "page", "half" or a number of px, got {amount!r}.', "Pass one of them."
        ) from None


Values = Annotated[list[str], Limits(min_length=1, max_length=1000)]


@tool(
    group="interaction",
    title="Submit a form",
    destructive=True,
    position=350,
    deadline=ACTION_DEADLINE,
)
async def submit(
    tab: TabHandle,
    form_id: Annotated[ElementId, "Id of the form or of anything in it."],
    *,
    detail: ChangesDetail = "delta",
) -> Answer[Page]:
    """Submit a form and return what changed, and invalid fields with reasons."""
    return page_answer(tab.record, await tab.do(forms.submit, form_id), detail)


@attrs.frozen
class Field(FieldValue):
    """A field and its new value."""

    element_id: Annotated[ElementId, "Id of the field."]
    value: Annotated[
        str | bool | float | list[str],
        "Text or a secret's name; options; true or false; paths of files.",
    ]


def _check_once(arguments: Mapping[str, Any]) -> None:
    counts = Counter(field.element_id for field in arguments["fields"])
    if twice := [reference for reference, count in counts.items() if count > 1]:
        raise InvalidArgument(f"{twice[0]} is given twice.", "Pass one value for each field.")


@tool(
    group="interaction",
    title="Fill in a form",
    destructive=True,
    position=360,
    deadline=600.0,
    check=_check_once,
)
async def fill_form(
    tab: TabHandle,
    fields: Annotated[
        Sequence[Field], Limits(min_length=1), "Fields and values, filled in this order."
    ],
    *,
    submit: Annotated[bool, "Submit the form at the end."] = False,
    detail: ChangesDetail = "delta",
) -> Answer[Page]:
    """Fill in several fields and return what changed; fills none if one cannot be filled."""
    spelled = tab.record.session.settings.secrets.spelled
    values = [
        attrs.evolve(field, value=spelled(field.value)) if isinstance(field.value, str) else field
        for field in fields
    ]
    look = await tab.do(forms.fill_form, values, submit=submit)
    given = {
        field.element_id: field.value if value.checked is None else value.checked
        for field, value in zip(fields, values, strict=True)
    }
    return page_answer(tab.record, attrs.evolve(look, given=given), detail)


@tool(
    group="interaction",
    title="Upload files",
    destructive=True,
    position=370,
    deadline=ACTION_DEADLINE,
)
async def upload(
    tab: TabHandle,
    element_id: Annotated[ElementId, "Id of the file input, its button, or a drop zone."],
    paths: Annotated[
        Sequence[str],
        Limits(min_length=1, max_length=100),
        (
            "Paths of files inside the allowed directories (roots); several only if the "
            "page accepts several."
        ),
    ],
    *,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Give files to a file input, the button that opens its dialog, or a drop zone.

    Returns what changed.
    """
    files = tab.record.session.settings.files.files(paths)
    return page_answer(tab.record, await tab.do(forms.upload, element_id, files), detail)


@tool(
    group="interaction",
    title="Choose options",
    destructive=True,
    position=330,
    deadline=ACTION_DEADLINE,
    idempotent=True,
)
async def select(
    tab: TabHandle,
    element_id: Annotated[ElementId, "Id of the select, listbox or combobox."],
    value: Annotated[
        str | Values, "Value or visible text of an option; a list of them for a multiple select."
    ],
    *,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Choose options of a select, listbox or combobox and return what changed.

    In a multiple select, a list replaces the selection. For an unknown option, the error lists
    the existing ones.
    """
    return page_answer(tab.record, await tab.do(forms.select, element_id, value), detail)


@tool(
    group="interaction",
    title="Toggle a checkbox",
    destructive=True,
    position=340,
    deadline=ACTION_DEADLINE,
)
async def toggle(
    tab: TabHandle,
    element_id: Annotated[ElementId, "Id of the checkbox, radio button or switch."],
    *,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Click a checkbox, radio button or switch and return its new state."""
    return page_answer(tab.record, await tab.do(forms.toggle, element_id), detail)


@tool(group="evaluate", title="Run JavaScript", position=450, destructive=True, deadline=320.0)
async def evaluate(
    tab: TabHandle,
    expression: Annotated[
        str, "Expression or statements, also with await; the last value is returned."
    ],
    *,
    timeout: Timeout = 5000,
    await_promise: Annotated[bool, "Wait for a promise and return its result."] = True,
    element_id: Annotated[ElementId | None, "Id of an element, available as `element`."] = None,
) -> Answer[ScriptValue]:
    """Run JavaScript as in the page's console and return {value, type}.

    Declarations persist across calls. Execution stops after `timeout` ms.
    """
    value = await tab.do(
        scripts.evaluate,
        expression,
        timeout_ms=timeout,
        await_promise=await_promise,
        reference=element_id,
    )
    settings = tab.record.session.settings
    body = value_as_json(value, settings.max_chars, settings.secrets.hidden_in)
    return json_answer(body, value, tab_id=tab.record.id)


def value_as_json(
    value: ScriptValue, max_chars: int, hidden: Callable[[Any], Any]
) -> dict[str, Any]:
    """Return ``{value, type}`` without secrets, with a long value cut."""
    body: dict[str, Any] = hidden(value.as_json())
    if len(compact_json(body)) <= max_chars:
        return body
    shown = body["value"]
    whole = shown if isinstance(shown, str) else compact_json(shown)
    text = whole[: max_chars - _TRUNCATION]
    while len(compact_json(text)) > max_chars - _TRUNCATION:
        text = text[: len(text) * 3 // 4]
    cut = {"part": "value", "total": len(whole), "returned": len(text)}
    return {"value": text, "type": value.type, "truncation": cut}


def _check_conditions(arguments: Mapping[str, Any]) -> None:
    if arguments["element_id"] is None and arguments["state"] is not None:
        raise InvalidArgument(
            f"element_id is required with state {arguments['state']!r}.",
            "Pass an id from observe or find.",
        )
    if arguments["time"] is None and not any(
        arguments[name] for name in ("element_id", "text", "text_gone", "selector", "js")
    ):
        raise InvalidArgument(
            "wait_for needs at least one condition.",
            "Pass element_id (with state), text, text_gone, selector, js or time.",
        )


@tool(
    group="interaction",
    title="Wait for a condition",
    destructive=True,
    position=420,
    read_only=True,
    deadline=360.0,
    check=_check_conditions,
    writes=True,
)
async def wait_for(
    tab: TabHandle,
    *,
    element_id: Annotated[ElementId | None, "Id of an element to wait for."] = None,
    state: Annotated[State | None, "State of the element. Default: exists."] = None,
    text: Annotated[str | None, "Text that must be on the page."] = None,
    text_gone: Annotated[str | None, "Text that must not be on the page."] = None,
    selector: Annotated[str | None, "CSS selector that must match an element."] = None,
    js: Annotated[str | None, "JavaScript expression that must become true."] = None,
    time: Annotated[
        int | None,
        Limits(minimum=0, maximum=300_000),
        "Time in ms that must pass; prefer a condition.",
    ] = None,
    timeout: Annotated[Timeout, "Maximum time in ms; then the call fails."] = 10_000,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Wait until all given conditions hold, then return what changed.

    Actions already wait for the page to settle; use this only for later changes.
    """
    wanted = WaitConditions(
        element_id=element_id,
        state=state or "exists",
        text=text or None,
        text_gone=text_gone or None,
        selector=selector or None,
        js=js or None,
        time=(time or 0) / 1000,
    )
    limit = (
        max(timeout, time + 500) if time else timeout
    ) / 1000  # 500 ms for the other conditions
    look, unmet = await tab.do(waiting.wait_for, wanted, limit)
    answer = page_answer(tab.record, look, detail)
    if unmet:
        page = answer.text if wants_text() else json.loads(answer.text)
        raise waiting.build_timeout_error(limit, unmet, {"page": page})
    return answer
