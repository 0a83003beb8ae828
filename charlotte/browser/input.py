"""Mouse and keyboard input as trusted events; pressed buttons and keys are always released.

A cancelled caller does not wait for replies. The next action on the page waits until these events
have been handled, see `wait_until_handled`.
"""

import itertools
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from typing import Any, Literal

import attrs
import trio

from charlotte.errors import InvalidArgument
from charlotte.protocol.connection import Session
from charlotte.protocol.input import DispatchKeyEvent, DispatchMouseEvent, InsertText
from charlotte.protocol.wire import Command, Nothing

Point = tuple[float, float]
"""CSS px in the viewport."""
Modifier = Literal["ctrl", "shift", "alt", "meta"]

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


def _named() -> dict[str, Key]:
    plain = {
        "Backspace": 8, "Tab": 9, "Escape": 27, "PageUp": 33, "PageDown": 34, "End": 35,
        "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
        "Insert": 45, "Delete": 46, "CapsLock": 20, "Pause": 19, "PrintScreen": 44,
        "ScrollLock": 145, "NumLock": 144, "ContextMenu": 93,
    }  # fmt: skip
    keys = {name: Key(name, name, code) for name, code in plain.items()}
    keys |= {f"F{n}": Key(f"F{n}", f"F{n}", 111 + n) for n in range(1, 13)}
    keys["Enter"] = Key("Enter", "Enter", 13, "\r")
    keys["Space"] = Key(" ", "Space", 32, " ")
    for name, side, code in (
        ("Shift", "ShiftLeft", 16), ("Control", "ControlLeft", 17),
        ("Alt", "AltLeft", 18), ("Meta", "MetaLeft", 91),
    ):  # fmt: skip
        keys[name] = Key(name, side, code, location=1)
    return keys


def _printable() -> dict[str, Key]:
    keys = {" ": Key(" ", "Space", 32, " ")}
    for letter in "abcdefghijklmnopqrstuvwxyz":
        upper = letter.upper()
        keys[letter] = Key(letter, f"Key{upper}", ord(upper), letter)
        keys[upper] = Key(upper, f"Key{upper}", ord(upper), upper, shift=True)
    for digit, shifted in zip("0123456789", ")!@#$%^&*(", strict=True):
        keys[digit] = Key(digit, f"Digit{digit}", ord(digit), digit)
        keys[shifted] = Key(shifted, f"Digit{digit}", ord(digit), shifted, shift=True)
    for plain, shifted, code, virtual in (
        ("-", "_", "Minus", 189), ("=", "+", "Equal", 187), ("[", "{", "BracketLeft", 219),
        ("]", "}", "BracketRight", 221), ("\\", "|", "Backslash", 220),
        (";", ":", "Semicolon", 186), ("'", '"', "Quote", 222), (",", "<", "Comma", 188),
        (".", ">", "Period", 190), ("/", "?", "Slash", 191), ("`", "~", "Backquote", 192),
    ):  # fmt: skip
        keys[plain] = Key(plain, code, virtual, plain)
        keys[shifted] = Key(shifted, code, virtual, shifted, shift=True)
    return keys


PRINTABLE = _printable()
NAMED = _named()
_ALIASES = {
    "esc": "Escape", "return": "Enter", "del": "Delete", "ins": "Insert", "spacebar": "Space",
    "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
    "ctrl": "Control", "cmd": "Meta", "command": "Meta", "option": "Alt", "pgup": "PageUp",
    "pgdn": "PageDown",
}  # fmt: skip
_BY_LOWER_NAME = {name.lower(): key for name, key in NAMED.items()} | {
    alias: NAMED[name] for alias, name in _ALIASES.items()
}


def key_named(name: str) -> Key:
    """Find a key by DOM name (any case), common alias, or the one character it types."""
    if key := PRINTABLE.get(name) or _BY_LOWER_NAME.get(name.lower()):
        return key
    if len(name) == 1:
        return Key(name, "", 0, name)
    raise InvalidArgument(
        f"Key {name[:60]!r} not found.",
        "Use a DOM key name (Enter, Escape, Tab, ArrowDown, F5 …) or one character.",
    )


def chord(text: str, modifiers: Iterable[Modifier]) -> tuple[Key, list[Modifier]]:
    """Parse a key such as ``"Control+Shift+a"`` and add further modifiers."""
    *held, name = text.split("+") if len(text) > 1 and not text.endswith("++") else [text]
    if text.endswith("++"):
        held, name = [part for part in text[:-2].split("+") if part], "+"
    return key_named(name), list(dict.fromkeys([*map(_modifier, held), *modifiers]))


def _modifier(name: str) -> Modifier:
    match key_named(name).key:
        case "Control":
            return "ctrl"
        case "Shift":
            return "shift"
        case "Alt":
            return "alt"
        case "Meta":
            return "meta"
        case _:
            raise InvalidArgument(
                f"{name[:60]!r} is not a modifier key.", "Hold ctrl, shift, alt or meta."
            )


ClickType = Literal["left", "right", "middle", "double"]

_BUTTON_BITS = {"left": 1, "right": 2, "middle": 4}
RELEASE_WAIT = 1.0
_KEYS_PER_ROUND_TRIP = 32
_MODIFIER_KEYS: dict[Modifier, str] = {
    "ctrl": "Control", "shift": "Shift", "alt": "Alt", "meta": "Meta",
}  # fmt: skip


async def dispatch(session: Session, *events: Command[Any]) -> None:
    """Send input events and wait until the page has handled them."""
    for sent in [await session.begin(event) for event in events]:
        await sent.result()


async def release(session: Session, *events: Command[Any]) -> None:
    """Send the events that end a press, also for a cancelled caller, without waiting."""
    with trio.move_on_after(RELEASE_WAIT, shield=True):
        for event in events:
            await session.begin(event)


async def wait_until_handled(session: Session) -> None:
    """Wait until the page has handled all input events that were sent."""
    await session.caught_up("Input.")


def modifier_mask(modifiers: Iterable[Modifier]) -> int:
    """Return CDP's bit mask: alt 1, ctrl 2, meta 4, shift 8 (S-MOD-01)."""
    return sum(MODIFIER_BITS[modifier] for modifier in set(modifiers))


async def click(
    session: Session, x: float, y: float, *, kind: ClickType, modifiers: Iterable[Modifier] = ()
) -> None:
    """Move to a point and click; a double click is two press and release cycles."""
    button = "left" if kind == "double" else kind
    mask = modifier_mask(modifiers)
    moved = DispatchMouseEvent(type="mouseMoved", x=x, y=y, modifiers=mask)
    cycles = [
        DispatchMouseEvent(
            type=kind_of_event, x=x, y=y, modifiers=mask, button=button,
            buttons=_BUTTON_BITS[button] if kind_of_event == "mousePressed" else 0,
            click_count=count,
        )
        for count in range(1, 3 if kind == "double" else 2)
        for kind_of_event in ("mousePressed", "mouseReleased")
    ]  # fmt: skip
    await dispatch(session, moved, *cycles)


async def move(session: Session, x: float, y: float) -> None:
    """Move the mouse to a point."""
    await dispatch(session, DispatchMouseEvent(type="mouseMoved", x=x, y=y))


async def wheel(session: Session, x: float, y: float, dx: float, dy: float) -> None:
    """Turn the wheel at a point; ``dx`` and ``dy`` in CSS px, positive to the right and down."""
    turned = DispatchMouseEvent(type="mouseWheel", x=x, y=y, delta_x=dx, delta_y=dy)
    await dispatch(session, turned)


async def press(session: Session, key: Key, modifiers: Iterable[Modifier] = ()) -> None:
    """Press and release a key while ``modifiers`` are held."""
    held: set[Modifier] = set(modifiers)
    if key.shift:
        held.add("shift")
    async with _held_modifiers(session, held):
        await dispatch(session, *_stroke(key, modifier_mask(held)))
    await wait_until_handled(session)


def _stroke(key: Key, mask: int) -> tuple[DispatchKeyEvent, DispatchKeyEvent]:
    types_text = key.text and not mask & ~MODIFIER_BITS["shift"]
    down = DispatchKeyEvent(
        type="keyDown" if types_text else "rawKeyDown", key=key.key, code=key.code,
        text=key.text if types_text else "", modifiers=mask,
        windows_virtual_key_code=key.virtual_key, location=key.location,
        # without a window system, only this command selects all
        commands=["selectAll"] if key.code == "KeyA" and mask == MODIFIER_BITS["ctrl"] else [],
    )  # fmt: skip
    up = DispatchKeyEvent(
        type="keyUp", key=key.key, code=key.code, modifiers=mask,
        windows_virtual_key_code=key.virtual_key, location=key.location,
    )  # fmt: skip
    return down, up


@asynccontextmanager
async def _held_modifiers(session: Session, modifiers: set[Modifier]) -> AsyncGenerator[None]:
    keys = [NAMED[_MODIFIER_KEYS[modifier]] for modifier in sorted(modifiers)]
    if not keys:
        yield
        return
    downs: list[DispatchKeyEvent] = []
    mask = 0
    for key, modifier in zip(keys, sorted(modifiers), strict=True):
        mask |= MODIFIER_BITS[modifier]
        downs.append(_modifier_event("rawKeyDown", key, mask))
    try:
        await dispatch(session, *downs)
        yield
    finally:
        await release(session, *(_modifier_event("keyUp", key, 0) for key in reversed(keys)))


def _modifier_event(kind: str, key: Key, mask: int) -> DispatchKeyEvent:
    return DispatchKeyEvent(
        type=kind, key=key.key, code=key.code, modifiers=mask,
        windows_virtual_key_code=key.virtual_key, location=key.location,
    )  # fmt: skip


async def type_text(session: Session, text: str, *, pause: float) -> None:
    """Type a text by keys; characters without a key are inserted as by an input method.

    Without a ``pause`` (in seconds, between characters), many keys are sent per round trip.
    """
    text = text.replace("\r\n", "\n")
    step = 1 if pause else _KEYS_PER_ROUND_TRIP
    for start in range(0, len(text), step):
        typed = (_typed(character) for character in text[start : start + step])
        await dispatch(session, *itertools.chain.from_iterable(typed))
        if pause:
            await trio.sleep(pause)


def _typed(character: str) -> tuple[Command[Nothing], ...]:
    if character in "\r\n":
        return _stroke(NAMED["Enter"], 0)
    if key := PRINTABLE.get(character):
        return _stroke(key, MODIFIER_BITS["shift"] if key.shift else 0)
    return (InsertText(text=character),)
