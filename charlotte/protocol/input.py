"""CDP Input domain: what we use of it."""

from typing import Any

import attrs

from charlotte.protocol.wire import Command, Event, Nothing


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
    delta_x: float | None = None
    delta_y: float | None = None


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
    """Insert text that no key types, as an input method does."""

    method = "Input.insertText"
    text: str


@attrs.frozen(kw_only=True)
class SetInterceptDrags(Command[Nothing]):
    """Report HTML5 drags instead of letting the system perform them."""

    method = "Input.setInterceptDrags"
    enabled: bool


@attrs.frozen
class DragIntercepted(Event):
    """An HTML5 drag began; ``data`` must be passed unchanged to `DispatchDragEvent`."""

    method = "Input.dragIntercepted"
    data: dict[str, Any]


@attrs.frozen(kw_only=True)
class DispatchDragEvent(Command[Nothing]):
    """Send ``dragEnter``, ``dragOver``, ``drop`` or ``dragCancel`` of an HTML5 drag."""

    method = "Input.dispatchDragEvent"
    type: str
    x: float
    y: float
    data: dict[str, Any]
    modifiers: int = 0
