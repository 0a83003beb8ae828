"""Tools that set how a tab appears to pages, and what its network does."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any

import attrs

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab.verbs import emulation
from charlotte.answers.answer import Answer, Page
from charlotte.answers.pages import json_answer, page_answer
from charlotte.base.errors import InvalidArgument, ellipsize
from charlotte.browser.emulation import (
    ColorScheme,
    Device,
    Location,
    Media,
    Mock,
    NetworkConditions,
    Throttle,
    device_named,
)
from charlotte.tools.schema.arguments import ChangesDetail, Lenient, Limits, Private, Uses, given
from charlotte.tools.schema.tool import tool

Side = Annotated[int, Limits(minimum=1, maximum=10_000), "CSS px"]
_setting = partial(tool, group="session", idempotent=True)

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*")
_BROWSER_HEADERS = re.compile(
    "host|content-length|connection|keep-alive|te|trailer|transfer-encoding|upgrade|cookie2|"
    "set-cookie|proxy-.*|sec-(?!ch-).*",
    re.IGNORECASE,
)
"""Headers that only the browser may set: with one of them, every request would fail."""


@attrs.frozen(kw_only=True)
class Geolocation(Location):
    """Degrees, and metres of accuracy."""

    latitude: Annotated[float, Limits(minimum=-90, maximum=90), "Degrees north."]
    longitude: Annotated[float, Limits(minimum=-180, maximum=180), "Degrees east."]
    accuracy: Annotated[float, Limits(minimum=0), "Accuracy in metres."] = 10


def _check_device(arguments: Mapping[str, Any]) -> None:
    if arguments["device"] is not None:
        device_named(arguments["device"], Device())


@_setting(title="Emulate a device", position=550, open_world=False, check=_check_device)
async def viewport(
    tab: TabHandle,
    *,
    width: Annotated[Side | None, "Width of the viewport in CSS px."] = None,
    height: Annotated[Side | None, "Height of the viewport in CSS px."] = None,
    device: Annotated[
        str | None,
        (
            "Name of a device, instead of width and height: mobile, tablet, desktop, iPhone "
            "15, Pixel 8, iPad Air landscape and others."
        ),
    ] = None,
    scale: Annotated[float | None, Limits(minimum=0.1, maximum=10), "Device pixel ratio."] = None,
    color_scheme: Annotated[
        ColorScheme | None, "Color scheme that pages see as preferred (prefers-color-scheme)."
    ] = None,
    media: Annotated[Media | None, "Media type; print shows the print view."] = None,
    locale: Annotated[str | None, "Language and region that pages see, such as de-DE."] = None,
    timezone: Annotated[str | None, "Time zone that pages see, such as Europe/Berlin."] = None,
    geolocation: Annotated[Geolocation | None, "Position that pages get."] = None,
    user_agent: Annotated[str | None, "User agent string that the browser sends."] = None,
    detail: ChangesDetail = "delta",
) -> Answer[Page]:
    """Set a tab's viewport size and the device that its pages see; return what changed.

    Omitted settings are unchanged; an empty string restores the default. Lasts until the tab is
    closed.
    """
    changes = given(
        width=None if device else width,
        height=None if device else height,
        scale=scale,
        color_scheme=color_scheme,
        media=media,
        locale=locale,
        timezone=timezone,
        geolocation=geolocation,
        user_agent=user_agent,
    )
    look = await tab.do(emulation.emulate_device, device, changes)
    held = attrs.asdict(tab.record.desired.device)
    extras = {"device": {name: value for name, value in held.items() if value}}
    return page_answer(tab.record, look, detail, extras=extras)


@attrs.frozen(kw_only=True)
class MockRule(Mock):
    """A response that is sent instead of the network's."""

    url: Annotated[str, "Glob of URLs."]
    status: Annotated[int, Limits(minimum=200, maximum=599), "HTTP status."] = 200
    headers: Annotated[dict[str, str], "Response headers by name."] = attrs.field(
        factory=dict[str, str]
    )
    body: Annotated[
        str,
        Lenient(lambda body: json.dumps(body) if isinstance(body, dict | list) else body),
        "Response body; an object becomes JSON.",
    ] = ""


def _check_mocks(arguments: Mapping[str, Any]) -> None:
    for rule in arguments["mock"] or ():
        _check_syntax(rule.headers)


@_setting(title="Emulate the network", position=560, check=_check_mocks)
async def network(
    tab: TabHandle,
    *,
    throttle: Annotated[
        Throttle | None, "Network speed; offline: no network, none: full speed."
    ] = None,
    block: Annotated[
        Sequence[str] | None,
        "Globs of URLs to block, such as *.png or *://ads.*; they replace the earlier ones.",
    ] = None,
    mock: Annotated[
        Sequence[MockRule] | None,
        Uses("scripts"),
        Private(),
        "Responses that requests get without the network; they replace the earlier ones.",
    ] = None,
    cpu_rate: Annotated[
        float | None,
        Limits(minimum=1, maximum=100),
        "Factor by which the CPU is slowed down; 1: full speed.",
    ] = None,
) -> Answer[NetworkConditions]:
    """Throttle, cut, block or mock the network of one tab and return the current settings.

    Omitted settings are unchanged; [] removes blocks or mocks. Lasts until the tab is closed.
    """
    changes = given(
        throttle=throttle,
        cpu_rate=cpu_rate,
        block=None if block is None else tuple(block),
        mocks=None if mock is None else tuple(mock),
    )
    conditions = await tab.do(emulation.change_conditions, changes)
    body: dict[str, Any] = {
        "throttle": conditions.throttle,
        "cpu_rate": conditions.cpu_rate,
        "block": list(conditions.block),
        "mock": [{"url": rule.url, "status": rule.status} for rule in conditions.mocks],
    }
    return json_answer(body, conditions, tab_id=tab.record.id)


def _check_headers(arguments: Mapping[str, Any]) -> None:
    headers: dict[str, str] = arguments["headers"]
    _check_syntax(headers)
    if refused := [name for name in headers if _BROWSER_HEADERS.fullmatch(name)]:
        raise InvalidArgument(
            f"headers must not contain {', '.join(refused)}: only the browser sets them.",
            "Leave them out; the headers set before still apply. Host follows from the URL.",
        )


@_setting(title="Set request headers", position=600, check=_check_headers)
async def set_headers(
    tab: TabHandle,
    headers: Annotated[
        dict[str, str],
        Private(),
        "Values of headers by name; they replace all extra headers set before. {} removes all.",
    ],
) -> Answer[tuple[str, ...]]:
    """Send extra HTTP headers with every request of one tab until it is closed."""
    await tab.do(emulation.set_headers, headers)
    return json_answer({"headers": list(headers)}, tuple(headers), tab_id=tab.record.id)


def _check_syntax(headers: dict[str, str]) -> None:
    wrong = [
        name
        for name, value in headers.items()
        if not (_HEADER_NAME.fullmatch(name) and _HEADER_VALUE.fullmatch(value))
    ]
    if wrong:
        raise InvalidArgument(
            f"Invalid HTTP header: {', '.join(repr(ellipsize(name, 60)) for name in wrong)}.",
            "Use letters, digits and hyphens in names, and no line breaks in values.",
        )
