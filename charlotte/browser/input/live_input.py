"""Input of a person on the dashboard: events of a browser as commands of the protocol."""

from collections.abc import Sequence
from typing import Any, cast

import attrs
import cattrs

from charlotte.base.errors import InvalidArgument
from charlotte.browser.input.input import NAMED, PRINTABLE, Key
from charlotte.protocol.input import DispatchKeyEvent, DispatchMouseEvent, InsertText
from charlotte.protocol.page import HandleJavaScriptDialog
from charlotte.protocol.wire import Command

_BUTTONS = dict(enumerate(("left", "middle", "right", "back", "forward")))
"""Names of buttons by the numbers that pages get."""

_MOUSE = {
    "move": "mouseMoved",
    "down": "mousePressed",
    "up": "mouseReleased",
    "wheel": "mouseWheel",
}
_ALT, _CTRL, _META = 1, 2, 4
_MOST = 200
_LONGEST_TEXT = 100_000
_reader = cattrs.Converter(forbid_extra_keys=True)


@attrs.frozen(kw_only=True)
class MouseInput:
    """A mouse event at CSS px of the viewport; ``modifiers`` are CDP's bits."""

    x: float
    y: float
    button: int = -1
    buttons: int = 0
    clicks: int = 0
    dx: float = 0
    dy: float = 0
    modifiers: int = 0

    def command(self, kind: str) -> DispatchMouseEvent:
        """Return the command."""
        turns = kind == "wheel"
        return DispatchMouseEvent(
            type=_MOUSE[kind],
            x=self.x,
            y=self.y,
            modifiers=self.modifiers,
            button=_BUTTONS.get(self.button, "none"),
            buttons=self.buttons,
            click_count=self.clicks,
            delta_x=self.dx if turns else None,
            delta_y=self.dy if turns else None,
        )


@attrs.frozen(kw_only=True)
class KeyInput:
    """A key that goes down or up."""

    key: str
    code: str = ""
    location: int = 0
    modifiers: int = 0
    repeat: bool = False

    def command(self, *, is_down: bool) -> DispatchKeyEvent:
        """Return the command; a key without a code on an English keyboard types its character."""
        types = len(self.key) == 1
        known = PRINTABLE.get(self.key) or NAMED.get(self.key)
        known = known or Key(self.key, "", 0, self.key if types else "")
        # these keep the key from typing; alt (AltGr) may type another text
        is_shortcut = self.modifiers & _META or self.modifiers & (_ALT | _CTRL) == _CTRL
        is_shortcut = is_shortcut or (self.modifiers & _ALT and known.code == self.code)
        text = known.text if is_down and not is_shortcut else ""
        selects_all = self.code == "KeyA" and self.modifiers in {_CTRL, _META} and is_down
        kind = ("keyDown" if text else "rawKeyDown") if is_down else "keyUp"
        return DispatchKeyEvent(
            type=kind,
            key=self.key,
            code=self.code or known.code,
            text=text,
            modifiers=self.modifiers,
            windows_virtual_key_code=known.virtual_key,
            location=self.location,
            auto_repeat=self.repeat or None,
            commands=["selectAll"] if selects_all else [],
        )


def read_input(events: object) -> tuple[Sequence[Command[Any]], bool]:
    """Return the commands for a list of ``{type, …}``; raises `InvalidArgument`.

    Returns also whether the input may submit a form or leave a field.
    """
    given = cast("Sequence[Any]", events) if isinstance(events, list) else None
    if given is None or len(given) > _MOST:
        raise InvalidArgument(f"events must be a list of at most {_MOST} objects.")
    try:
        commands = [_command({**event}) for event in given]
    except (cattrs.BaseValidationError, LookupError, TypeError, ValueError) as error:
        raise InvalidArgument(f"An event is malformed: {type(error).__name__}.") from None
    may_submit = any(
        event["type"] == "down" or (event["type"] == "keydown" and event["key"] in {"Enter", "Tab"})
        for event in given
    )
    return commands, may_submit


def _command(event: dict[str, Any]) -> Command[Any]:
    match event:
        case {"type": "text", "text": str() as text}:
            return InsertText(text=text[:_LONGEST_TEXT])
        case {"type": "dialog", "accept": bool() as accept, "text": str() | None as text}:
            return HandleJavaScriptDialog(accept=accept, prompt_text=text)
        case {"type": "keydown" | "keyup" as kind, **fields}:
            return _reader.structure(fields, KeyInput).command(is_down=kind == "keydown")
        case {"type": kind, **fields}:
            return _reader.structure(fields, MouseInput).command(kind)
        case _:
            raise ValueError("an event without a type")
