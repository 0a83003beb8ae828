"""The US keyboard: names of keys (DOM ``key``), codes and text."""

from collections.abc import Iterable
from typing import Literal

import attrs

from charlotte.errors import InvalidArgument

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
