"""Mouse and keyboard input as trusted events; pressed buttons and keys are always released.

A cancelled caller does not wait for replies. The next action on the page waits until these events
have been handled, see `wait_until_handled`.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterable
from contextlib import asynccontextmanager
from string import ascii_uppercase
from typing import Any, Literal

import attrs
import trio

from charlotte.base.errors import InvalidArgument, ellipsize
from charlotte.config.setting import nearest
from charlotte.protocol.connection import CdpSession
from charlotte.protocol.input import (
    DispatchKeyEvent,
    DispatchMouseEvent,
    DispatchTouchEvent,
    InsertText,
)
from charlotte.protocol.wire import Command, Nothing

Point = tuple[float, float]
"""CSS px in the viewport."""
Modifier = Literal["ctrl", "shift", "alt", "meta"]

_MODIFIER_KEYS: dict[Modifier, str] = {
    "ctrl": "Control", "shift": "Shift", "alt": "Alt", "meta": "Meta",
}  # fmt: skip
_MODIFIERS: dict[str, Modifier] = {key: modifier for modifier, key in _MODIFIER_KEYS.items()}
MODIFIER_BITS: dict[str, int] = {"alt": 1, "ctrl": 2, "meta": 4, "shift": 8}


@attrs.frozen
class Key:
    """A key with its CDP ``code`` and ``virtual_key``; ``text`` is the text that it types."""

    key: str
    code: str
    virtual_key: int
    text: str = ""
    shift: bool = False
    location: int = 0


Stroke = tuple[Key, Collection[Modifier]]
"""A key, and the modifiers held while it is pressed."""

_NAMED_CODES = {
    "Backspace": 8, "Tab": 9, "Escape": 27, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
    "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Insert": 45, "Delete": 46,
    "CapsLock": 20, "Pause": 19, "PrintScreen": 44, "ScrollLock": 145, "NumLock": 144,
    "ContextMenu": 93,
}  # fmt: skip
_SPACE = Key(" ", "Space", 32, " ")
NAMED = {
    **{name: Key(name, name, code) for name, code in _NAMED_CODES.items()},
    **{f"F{n}": Key(f"F{n}", f"F{n}", 111 + n) for n in range(1, 13)},
    "Enter": Key("Enter", "Enter", 13, "\r"),
    "Space": _SPACE,
    "Shift": Key("Shift", "ShiftLeft", 16, location=1),
    "Control": Key("Control", "ControlLeft", 17, location=1),
    "Alt": Key("Alt", "AltLeft", 18, location=1),
    "Meta": Key("Meta", "MetaLeft", 91, location=1),
}
_DIGITS = zip("0123456789", ")!@#$%^&*(", strict=True)
_CODES = [
    *((upper.lower(), upper, f"Key{upper}", ord(upper)) for upper in ascii_uppercase),
    *((digit, shifted, f"Digit{digit}", ord(digit)) for digit, shifted in _DIGITS),
    ("-", "_", "Minus", 189), ("=", "+", "Equal", 187), ("[", "{", "BracketLeft", 219),
    ("]", "}", "BracketRight", 221), ("\\", "|", "Backslash", 220),
    (";", ":", "Semicolon", 186), ("'", '"', "Quote", 222), (",", "<", "Comma", 188),
    (".", ">", "Period", 190), ("/", "?", "Slash", 191), ("`", "~", "Backquote", 192),
]  # fmt: skip
PRINTABLE = {" ": _SPACE}
for _plain, _shifted, _code, _number in _CODES:
    PRINTABLE[_plain] = Key(_plain, _code, _number, _plain)
    PRINTABLE[_shifted] = Key(_shifted, _code, _number, _shifted, shift=True)
_SHIFTED = {key.code: key for key in PRINTABLE.values() if key.shift}
PLAIN_BY_CODE = {key.code.lower(): key for key in PRINTABLE.values() if not key.shift} | {
    f"numpad{n}": Key(f"{n}", f"Numpad{n}", 96 + n, f"{n}", location=3) for n in range(10)
}
_COMPOSED = Key("Process", "", 229)
"""The key of browsers for what an input method composes."""
_ALIASES = {
    "esc": "Escape", "return": "Enter", "del": "Delete", "ins": "Insert", "spacebar": "Space",
    "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
    "ctrl": "Control", "cmd": "Meta", "command": "Meta", "super": "Meta", "win": "Meta",
    "option": "Alt", "pgup": "PageUp", "pgdn": "PageDown", "controlormeta": "Control",
}  # fmt: skip
_BY_LOWER_NAME = (
    {name.lower(): key for name, key in NAMED.items()}
    | {key.code.lower(): key for key in NAMED.values()}
    | {alias: NAMED[name] for alias, name in _ALIASES.items()}
    | PLAIN_BY_CODE
)


def key_named(name: str) -> Key:
    """Find a key by DOM name or code (any case), common alias, or the one character it types."""
    if key := PRINTABLE.get(name) or _BY_LOWER_NAME.get(name.lower()):
        return key
    if len(name) == 1:
        return Key(name, "", 0, name)
    raise InvalidArgument(
        f"Key {ellipsize(name, 60)!r} not found{nearest(name, list(NAMED))}.",
        "Use a DOM key name (Enter, Escape, Tab, ArrowDown, F5 …) or one character.",
    )


def modifier_named(name: str) -> Modifier | None:
    """Find a modifier by DOM name (any case) or common alias."""
    key = _BY_LOWER_NAME.get(name.lower())
    return _MODIFIERS.get(key.key) if key else None


def chord(text: str, modifiers: Iterable[Modifier]) -> Stroke:
    """Parse a key such as ``"Control+Shift+a"`` and add further modifiers.

    With ctrl, alt or meta, the case of a letter has no meaning: only "shift" adds Shift. With
    Shift, a key is the shifted one of a US keyboard: ``Shift+1`` is an exclamation mark.
    """
    if text.endswith("++"):
        held, name = [part for part in text[:-2].split("+") if part], "+"
    else:
        *held, name = text.split("+") if len(text) > 1 else [text]
    if held:
        held, name = [part.strip() for part in held], name.strip() or name
    keys = [key_named(part).key for part in held]
    for part, key in zip(held, keys, strict=True):
        if key not in _MODIFIERS:
            raise InvalidArgument(
                f"{ellipsize(part, 60)!r} is not a modifier key.", "Hold ctrl, shift, alt or meta."
            )
    by_name: list[Modifier] = [*(_MODIFIERS[key] for key in keys), *modifiers]
    pressed = list(dict.fromkeys(by_name))
    if pressed and "shift" not in pressed and len(name) == 1:
        name = name.lower()
    found = key_named(name)
    return (_SHIFTED.get(found.code, found) if "shift" in pressed else found), pressed


ClickType = Literal["left", "right", "middle", "double", "triple"]

_PRESSES: dict[ClickType, int] = {"double": 2, "triple": 3}
"""Presses of a click; of all other clicks: 1."""
_BUTTON_BITS = {"left": 1, "right": 2, "middle": 4}
_TOUCHES = {"mousePressed": "touchStart", "mouseMoved": "touchMove", "mouseReleased": "touchEnd"}
RELEASE_WAIT = 1.0
_KEYS_PER_ROUND_TRIP = 32
_REPEATS_AFTER = 0.5
_REPEATS_EVERY = 0.033
"""Seconds after which, and between which, a key that is held down repeats."""


async def dispatch(session: CdpSession, *events: Command[Any]) -> None:
    """Send input events and wait until the page has handled them."""
    for sent in [await session.begin(event) for event in events]:
        await sent.result()


async def release(session: CdpSession, *events: Command[Any]) -> None:
    """Send the events that end a press, also for a cancelled caller, without waiting."""
    with trio.move_on_after(RELEASE_WAIT, shield=True):
        for event in events:
            await session.begin(event)


async def wait_until_handled(session: CdpSession) -> None:
    """Wait until the page has handled all input events that were sent."""
    await session.caught_up("Input.")


def modifier_mask(modifiers: Iterable[Modifier]) -> int:
    """Return CDP's bit mask: alt 1, ctrl 2, meta 4, shift 8 (S-MOD-01)."""
    return sum(MODIFIER_BITS[modifier] for modifier in set(modifiers))


def touch_event(kind: str, at: Point, mask: int) -> DispatchTouchEvent:
    """Return the event of a finger in place of one of the left mouse button."""
    points = [dict(zip("xy", at, strict=True))] if kind != "mouseReleased" else []
    return DispatchTouchEvent(type=_TOUCHES[kind], touch_points=points, modifiers=mask)


async def click_point(
    session: CdpSession,
    x: float,
    y: float,
    *,
    kind: ClickType,
    modifiers: Iterable[Modifier] = (),
    hold: float = 0.0,
    touch: bool = False,
) -> None:
    """Move to a point and click, or tap it; a double click is two press and release cycles.

    The button of the last press is held down for ``hold`` seconds.
    """
    presses = _PRESSES.get(kind, 1)
    button = "left" if presses > 1 else kind
    mask = modifier_mask(modifiers)
    moved = DispatchMouseEvent(type="mouseMoved", x=x, y=y, modifiers=mask)
    is_tap = touch and button == "left"
    cycles: list[Command[Nothing]] = [
        touch_event(kind_of_event, (x, y), mask) if is_tap else DispatchMouseEvent(
            type=kind_of_event, x=x, y=y, modifiers=mask, button=button,
            buttons=_BUTTON_BITS[button] if kind_of_event == "mousePressed" else 0,
            click_count=count,
        )
        for count in range(1, presses + 1)
        for kind_of_event in ("mousePressed", "mouseReleased")
    ]  # fmt: skip
    *before, released = cycles if is_tap else [moved, *cycles]
    if not hold:
        await dispatch(session, *before, released)
        return
    try:
        await dispatch(session, *before)
        await trio.sleep(hold)
    finally:
        await release(session, released)  # noqa: ASYNC102 - shields itself
    await wait_until_handled(session)


async def move_mouse(session: CdpSession, x: float, y: float) -> None:
    """Move the mouse to a point, in two steps: pages ignore the move that enters an element."""
    for at in (abs(x - 1), x):
        await dispatch(session, DispatchMouseEvent(type="mouseMoved", x=at, y=y))


async def wheel(
    session: CdpSession, at: Point, dx: float, dy: float, modifiers: Iterable[Modifier] = ()
) -> None:
    """Turn the wheel at a point; ``dx`` and ``dy`` in CSS px, positive to the right and down."""
    x, y = at
    mask = modifier_mask(modifiers)
    turned = DispatchMouseEvent(type="mouseWheel", x=x, y=y, delta_x=dx, delta_y=dy, modifiers=mask)
    await dispatch(session, turned)


async def press(session: CdpSession, *strokes: Stroke, hold: float = 0.0) -> None:
    """Press keys one after the other, hold all of them down, and release them.

    A single key that is held down, for ``hold`` seconds, repeats as the key of a keyboard does.
    """
    held: set[Modifier] = {modifier for _, modifiers in strokes for modifier in modifiers}
    held |= {_MODIFIERS[key.key] for key, _ in strokes if key.key in _MODIFIERS}
    if any(key.shift for key, _ in strokes):
        held.add("shift")
    keys, mask = [key for key, _ in strokes if key.key not in _MODIFIERS], modifier_mask(held)
    events = [_stroke(key, mask) for key in keys]
    downs, ups = [down for down, _ in events], [up for _, up in events]
    async with holding(session, held):
        if hold:
            again = [_stroke(key, mask, auto_repeat=True)[0] for key in keys]
            try:
                await dispatch(session, *downs)
                with trio.move_on_after(hold):
                    await trio.sleep(_REPEATS_AFTER if len(again) == 1 else hold)
                    while True:
                        await dispatch(session, *again)
                        await trio.sleep(_REPEATS_EVERY)
            finally:
                await release(session, *ups)  # noqa: ASYNC102 - shields itself
        else:
            await dispatch(session, *downs, *ups)
    await wait_until_handled(session)


def _key_event(kind: str, key: Key, mask: int, **more: Any) -> DispatchKeyEvent:
    return DispatchKeyEvent(
        type=kind, key=key.key, code=key.code, modifiers=mask,
        windows_virtual_key_code=key.virtual_key, location=key.location, **more,
    )  # fmt: skip


def _stroke(
    key: Key, mask: int, *, auto_repeat: bool | None = None
) -> tuple[DispatchKeyEvent, DispatchKeyEvent]:
    text = "" if mask & ~MODIFIER_BITS["shift"] else key.text
    # without a window system, only this command selects all
    commands = ["selectAll"] if key.code == "KeyA" and mask == MODIFIER_BITS["ctrl"] else []
    kind = "keyDown" if text else "rawKeyDown"
    down = _key_event(kind, key, mask, text=text, commands=commands, auto_repeat=auto_repeat)
    return down, _key_event("keyUp", key, mask)


@asynccontextmanager
async def holding(session: CdpSession, modifiers: Iterable[Modifier]) -> AsyncGenerator[None]:
    """Hold modifier keys during the block and release them on every exit."""
    held = sorted(set(modifiers))
    keys = [NAMED[_MODIFIER_KEYS[modifier]] for modifier in held]
    downs = [
        _key_event("rawKeyDown", key, modifier_mask(held[: number + 1]))
        for number, key in enumerate(keys)
    ]
    try:
        await dispatch(session, *downs)
        yield
    finally:
        ups = [_key_event("keyUp", key, 0) for key in reversed(keys)]
        await release(session, *ups)  # noqa: ASYNC102 - shields itself


async def type_text(
    session: CdpSession,
    text: str,
    *,
    pause: float,
    may_go_on: Callable[[], Awaitable[bool]] | None = None,
    line_break: Modifier | None = None,
) -> None:
    """Type a text by keys; characters without a key are inserted as by an input method.

    A line break is Enter, with ``line_break`` held. Without a ``pause`` (in seconds, between
    characters), many keys are sent per round trip, each time only if ``may_go_on`` returns true.
    """
    text = text.replace("\r\n", "\n")
    step = 1 if pause else _KEYS_PER_ROUND_TRIP
    for start in range(0, len(text), step):
        if may_go_on is not None and not await may_go_on():
            return
        events: list[Command[Nothing]] = []
        for character in text[start : start + step]:
            if character in "\r\n":
                mask = modifier_mask([line_break] if line_break else [])
                events += _stroke(NAMED["Enter"], mask)
            elif key := PRINTABLE.get(character):
                events += _stroke(key, MODIFIER_BITS["shift"] if key.shift else 0)
            else:
                down, up = _stroke(_COMPOSED, 0)
                events += [down, InsertText(text=character), up]
        await dispatch(session, *events)
        if pause:
            await trio.sleep(pause)
