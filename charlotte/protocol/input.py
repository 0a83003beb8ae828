"""CDP Input domain: what we use of it."""

import attrs

from charlotte.protocol.wire import Command, Nothing


@attrs.frozen(kw_only=True)
class DispatchMouseEvent(Command[Nothing]):
    """A trusted mouse event; coordinates in CSS px of the viewport."""

    method = "Input.dispatchMouseEvent"
    type: str
    x: float
    y: float
    modifiers: int = 0
    button: str = "none"
    buttons: int = 0
    click_count: int = 0


@attrs.frozen(kw_only=True)
class DispatchKeyEvent(Command[Nothing]):
    """A trusted key event."""

    method = "Input.dispatchKeyEvent"
    type: str
    key: str
    code: str = ""
    text: str = ""
    modifiers: int = 0
    windows_virtual_key_code: int = 0
    location: int = 0
    commands: list[str] = attrs.field(factory=list[str])


@attrs.frozen(kw_only=True)
class InsertText(Command[Nothing]):
    """Text that no key types, as an input method would insert it."""

    method = "Input.insertText"
    text: str
