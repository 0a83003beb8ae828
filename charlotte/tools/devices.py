"""The tool that makes a tab look like a device, somewhere."""

from collections.abc import Mapping
from typing import Annotated, Any

import attrs

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab import emulation
from charlotte.browser.emulation_state import ColorScheme, Device, Place, device_named
from charlotte.tools.answer import Answer
from charlotte.tools.pages import page_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.json_schema import Limits
from charlotte.tools.schema.parameters import Detail
from charlotte.tools.schema.tool import tool

Side = Annotated[int, Limits(minimum=1, maximum=10_000), "CSS px"]
_NAMED = "mobile, tablet, desktop, iPhone 15, Pixel 8, iPad Air landscape"


@attrs.frozen(kw_only=True)
class Geolocation:
    """Degrees, and metres of accuracy."""

    latitude: Annotated[float, Limits(minimum=-90, maximum=90)]
    longitude: Annotated[float, Limits(minimum=-180, maximum=180)]
    accuracy: Annotated[float, Limits(minimum=0)] = 10


def _check_device(arguments: Mapping[str, Any]) -> None:
    if arguments["device"] is not None:
        device_named(arguments["device"], Device())


@tool(group="session", position=550, open_world=False, check=_check_device)
async def viewport(
    tab: TabHandle,
    *,
    width: Side | None = None,
    height: Side | None = None,
    device: Annotated[str | None, f"Such as {_NAMED}; instead of width and height"] = None,
    scale: Annotated[float | None, Limits(minimum=0.1, maximum=10), "Device pixel ratio"] = None,
    color_scheme: ColorScheme | None = None,
    locale: Annotated[str | None, "Such as de-DE"] = None,
    timezone: Annotated[str | None, "Such as Europe/Berlin"] = None,
    geolocation: Annotated[Geolocation | None, "Position to report to pages"] = None,
    user_agent: str | None = None,
    detail: Detail = "delta",
) -> Answer[Page]:
    """Set a tab's viewport size and the device that its pages see; return what changed.

    Omitted settings are unchanged; an empty string restores the default. Lasts until the tab is
    closed.
    """
    given: dict[str, Any] = {
        "width": None if device else width,
        "height": None if device else height,
        "scale": scale,
        "color_scheme": color_scheme,
        "locale": locale,
        "timezone": timezone,
        "geolocation": Place(**attrs.asdict(geolocation)) if geolocation else None,
        "user_agent": user_agent,
    }
    changes = {name: value for name, value in given.items() if value is not None}
    look = await tab.do(emulation.emulate_device, device, changes)
    held = attrs.asdict(tab.record.desired.device)
    extras = {"device": {name: value for name, value in held.items() if value}}
    return page_answer(tab.record, look, detail, extras=extras)
