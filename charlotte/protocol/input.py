"""CDP Input domain: trusted mouse, key and drag events."""

from typing import Any

import attrs

from charlotte.protocol.wire import CdpEvent, Command, Nothing


def _pressure(event: "DispatchMouseEvent") -> float:
    """Return the pressure of a pointer that cannot measure it."""
    return 0.5 if event.buttons else 0.0


class DispatchMouseEvent(Command[Nothing], method="Input.dispatchMouseEvent"):
    """A trusted mouse event; coordinates in CSS px of the viewport."""

    type: str
    x: float
    y: float
    modifiers: int = 0
    button: str = "none"
    buttons: int = 0
    click_count: int = 0
    delta_x: float | None = None
    delta_y: float | None = None
    force: float = attrs.field(default=attrs.Factory(_pressure, takes_self=True))


class DispatchTouchEvent(Command[Nothing], method="Input.dispatchTouchEvent"):
    """A trusted touch event: the points that are down after it; modifiers as of the mouse."""

    type: str
    touch_points: list[dict[str, float]]
    modifiers: int = 0


class DispatchKeyEvent(Command[Nothing], method="Input.dispatchKeyEvent"):
    """A trusted key event."""

    type: str
    key: str
    code: str = ""
    text: str = ""
    modifiers: int = 0
    windows_virtual_key_code: int = 0
    location: int = 0
    auto_repeat: bool | None = None
    commands: list[str] = attrs.field(factory=list[str])


class InsertText(Command[Nothing], method="Input.insertText"):
    """Insert text that no key types, as an input method does."""

    text: str


class SetInterceptDrags(Command[Nothing], method="Input.setInterceptDrags"):
    """Report HTML5 drags instead of letting the system perform them."""

    enabled: bool


class DragIntercepted(CdpEvent, method="Input.dragIntercepted"):
    """An HTML5 drag began; ``data`` must be passed unchanged to `DispatchDragEvent`."""

    data: dict[str, Any]


class DispatchDragEvent(Command[Nothing], method="Input.dispatchDragEvent"):
    """Send ``dragEnter``, ``dragOver``, ``drop`` or ``dragCancel`` of an HTML5 drag."""

    type: str
    x: float
    y: float
    data: dict[str, Any]
    modifiers: int = 0
