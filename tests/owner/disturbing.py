"""A careless client of an owner's browser: it has every effect that a scenario records."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import trio

from tests.cdp import Cdp, open_cdp
from tests.owner.scenario import Owner

_IN_FRONT: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Emulation.setDeviceMetricsOverride",
     {"width": 500, "height": 400, "deviceScaleFactor": 2, "mobile": False}),
    ("Emulation.setScrollbarsHidden", {"hidden": True}),
    ("Emulation.setUserAgentOverride", {"userAgent": "Careless"}),
    ("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"}),
    ("Emulation.setEmulatedMedia", {"media": "print"}),
    ("Emulation.setTouchEmulationEnabled", {"enabled": True}),
    ("Page.setBypassCSP", {"enabled": True}),
    ("Page.enable", {}),
    ("Page.setInterceptFileChooserDialog", {"enabled": True}),
    ("Runtime.enable", {}),
)  # fmt: skip
_SCRIPT = """
    history.pushState({}, '', '?name=front&changed');
    document.title = 'Changed';
    globalThis.leaked = true;
    field.value = 'changed';
    field.blur();
    scrollTo(0, 0);
    localStorage.leaked = 'true';
"""

_HOLD_NEW_PAGES = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
_PAUSE = 0.3

EFFECTS = frozenset({
    "console (front)",
    "dialogs",
    "document (front)",
    "downloads",
    "drawing (behind)",
    "events (behind)",
    "events (front)",
    "file chooser (front)",
    "form entries (front)",
    "globals (front)",
    "hardware (front)",
    "history (front)",
    "keyboard focus (front)",
    "media features (front)",
    "permissions (front)",
    "popups",
    "prerendering",
    "scroll bars (front)",
    "scroll position (front)",
    "sessions",
    "size (front)",
    "storage (front)",
    "targets",
    "tab order",
    "timers (behind)",
    "timezone (front)",
    "user agent (front)",
    "visibility (behind)",
    "window (front)",
    "window bounds",
    "window focus (behind)",
    "windows of links",
})  # fmt: skip
"""Effects that `disturbing` has."""


@asynccontextmanager
async def disturbing(owner: Owner) -> AsyncGenerator[None]:
    """Connect a client that changes the owner's tabs, holds new pages and opens windows."""
    async with AsyncExitStack() as stack:
        cdp = await stack.enter_async_context(open_cdp(owner.browser.endpoint))
        sessions: dict[str, str] = {}
        for name in ("front", "behind", "reader"):
            attaching = cdp.attached(owner.targets[name])
            sessions[name] = await stack.enter_async_context(attaching)
        await _disturb(cdp, owner, sessions)
        nursery = await stack.enter_async_context(trio.open_nursery())
        nursery.start_soon(_open_windows, cdp, owner)
        yield
        nursery.cancel_scope.cancel("observed")


async def _disturb(cdp: Cdp, owner: Owner, sessions: dict[str, str]) -> None:
    for method, params in _IN_FRONT:
        await cdp.call(method, sessions["front"], **params)
    await cdp.run(sessions["front"], _SCRIPT)
    await cdp.call("Emulation.setFocusEmulationEnabled", sessions["behind"], enabled=True)
    await cdp.call("Page.enable", sessions["reader"])
    await cdp.call("Browser.setDownloadBehavior", behavior="deny")
    await cdp.call("Browser.grantPermissions", permissions=["geolocation"])
    found = await cdp.call("Browser.getWindowForTarget", targetId=owner.targets["front"])
    bounds = {"width": 500, "height": 400}
    await cdp.call("Browser.setWindowBounds", windowId=found["windowId"], bounds=bounds)
    await cdp.call("Target.closeTarget", targetId=owner.targets.pop("adopted"))
    await cdp.call("Target.setAutoAttach", **_HOLD_NEW_PAGES)


async def _open_windows(cdp: Cdp, owner: Owner) -> None:
    """Open windows in front while the owner is asked something, which answers the question."""
    while "asking" not in owner.targets:  # noqa: ASYNC110 - rarely
        await trio.sleep(_PAUSE)
    await cdp.call("Target.setAutoAttach", **_HOLD_NEW_PAGES | {"autoAttach": False})
    while True:
        await trio.sleep(_PAUSE)
        await cdp.call("Target.createTarget", url="about:blank", newWindow=True)
