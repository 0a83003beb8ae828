"""Keys as models spell them: X11 names, chords with ``+``, sequences with spaces."""

import re
from collections.abc import Mapping

from charlotte.browser.input import Modifier, modifier_named
from charlotte.toolsets.refs import ToolsetError

_NAMES: Mapping[str, str] = {
    "return": "Enter",
    "backspace": "Backspace",
    "prior": "PageUp",
    "next": "PageDown",
    "space": "Space",
    "plus": "+",
    "minus": "-",
    "equal": "=",
    "comma": ",",
    "period": ".",
    "slash": "/",
    "backslash": "\\",
    "semicolon": ";",
    "apostrophe": "'",
    "grave": "`",
    "bracketleft": "[",
    "bracketright": "]",
    "kpadd": "+",
    "kpsubtract": "-",
    "kpmultiply": "*",
    "kpdivide": "/",
    "kpdecimal": ".",
    "kpenter": "Enter",
    "controll": "Control",
    "controlr": "Control",
    "shiftl": "Shift",
    "shiftr": "Shift",
    "altl": "Alt",
    "altr": "Alt",
    "metal": "Meta",
    "superl": "Meta",
    "isolefttab": "Shift+Tab",
    "underscore": "_",
}
"""Charlotte's names of keys by their names without underscores, in lower case."""

_KEYPAD_DIGIT = re.compile(r"kp(\d)")


def key_name(name: str) -> str:
    """Return Charlotte's name of a key."""
    if len(name) == 1:
        return name
    plain = name.replace("_", "").lower()
    if digit := _KEYPAD_DIGIT.fullmatch(plain):
        return digit[1]
    return _NAMES.get(plain, name.replace("_", ""))


def chord_name(text: str) -> str:
    """Return Charlotte's name of a key with modifiers, such as ``ctrl+Page_Down``."""
    parts = [part or "+" for part in re.split(r"\+(?!$)", text)] if len(text) > 1 else [text]
    return "+".join(map(key_name, parts))


def sequence_names(text: str) -> list[str]:
    """Return Charlotte's names of a sequence of keys; raises `ToolsetError` without a key."""
    names = [*map(chord_name, text.split())] or (["Space"] if text else [])
    if not names:
        raise ToolsetError("text must name a key, such as Enter or ctrl+a.")
    return names


def modifier_names(text: str | None) -> list[Modifier]:
    """Return the modifiers of a chord such as ``ctrl+shift``; raises `ToolsetError`."""
    modifiers: list[Modifier] = []
    for name in filter(None, map(str.strip, (text or "").split("+"))):
        modifier = modifier_named(name)
        if modifier is None:
            raise ToolsetError(f"{name[:40]} is not a modifier key: use ctrl, shift, alt or meta.")
        modifiers.append(modifier)
    return modifiers
