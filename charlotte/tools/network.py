"""Tools that stand between a tab and the network."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import attrs

from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.emulation import become
from charlotte.browser.emulation_state import Conditions, Mock, Throttle
from charlotte.errors import InvalidArgument
from charlotte.tools.answer import Answer
from charlotte.tools.pages import json_answer
from charlotte.tools.schema.json_schema import Lenient, Limits
from charlotte.tools.schema.tool import tool

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*")

_BROWSERS = re.compile(
    "host|content-length|connection|keep-alive|te|trailer|transfer-encoding|upgrade|cookie2|"
    "set-cookie|proxy-.*|sec-(?!ch-).*",
    re.IGNORECASE,
)
"""Headers that are the browser's alone: with one of them set, every request would fail."""

Headers = dict[str, str]


def body_text(value: Any) -> Any:
    """JSON for a body that was given as an object or array, anything else as it is."""
    return json.dumps(value) if isinstance(value, dict | list) else value


@attrs.frozen(kw_only=True)
class MockRule:
    """An answer in the network's stead."""

    url: Annotated[str, "Glob of URLs"]
    status: Annotated[int, Limits(minimum=200, maximum=599)] = 200
    headers: Headers = attrs.field(factory=dict[str, str])
    body: Annotated[str, Lenient(body_text)] = ""


def _check_mocks(arguments: Mapping[str, Any]) -> None:
    for rule in arguments["mock"] or ():
        _check(rule.headers)


@tool(group="session", position=560, check=_check_mocks)
async def network(
    tab: Tab,
    *,
    throttle: Annotated[Throttle | None, "Network speed"] = None,
    block: Annotated[Sequence[str] | None, "Globs of URLs to block: *.png, *://ads.*"] = None,
    mock: Annotated[Sequence[MockRule] | None, "Responses to send without the network"] = None,
    cpu_rate: Annotated[
        float | None, Limits(minimum=1, maximum=100), "CPU slowdown factor; 1: none"
    ] = None,
) -> Answer[Conditions]:
    """Throttle, cut, block or mock the network of one tab and return the current settings.

    Omitted settings are unchanged; [] removes blocks or mocks. Lasts until the tab is closed.
    """
    given: dict[str, Any] = {
        "throttle": throttle,
        "cpu_rate": cpu_rate,
        "block": None if block is None else tuple(block),
        "mocks": None if mock is None else tuple(map(_mock, mock)),
    }
    before = tab.record.desired
    changed = {name: value for name, value in given.items() if value is not None}
    conditions = attrs.evolve(before.conditions, **changed)
    await become(tab, attrs.evolve(before, conditions=conditions))
    return json_answer(_told(conditions), conditions, tab_id=tab.record.id)


def _mock(rule: MockRule) -> Mock:
    return Mock(url=rule.url, status=rule.status, headers=rule.headers, body=rule.body)


def _told(conditions: Conditions) -> dict[str, Any]:
    return {
        "throttle": conditions.throttle,
        "cpu_rate": conditions.cpu_rate,
        "block": list(conditions.block),
        "mock": [{"url": mock.url, "status": mock.status} for mock in conditions.mocks],
    }


def _check_headers(arguments: Mapping[str, Any]) -> None:
    _check(arguments["headers"])
    _check_sendable(arguments["headers"])


@tool(group="session", position=600, check=_check_headers)
async def set_headers(
    tab: Tab, headers: Annotated[Headers, "Replace all that were set before; {}: none"]
) -> Answer[tuple[str, ...]]:
    """Send extra HTTP headers with every request of one tab until it is closed."""
    await become(tab, attrs.evolve(tab.record.desired, headers=headers))
    return json_answer({"headers": list(headers)}, tuple(headers), tab_id=tab.record.id)


def _check(headers: Headers) -> None:
    wrong = [
        name
        for name, value in headers.items()
        if not (_NAME.fullmatch(name) and _VALUE.fullmatch(value))
    ]
    if wrong:
        raise InvalidArgument(
            f"No HTTP header can be so: {', '.join(repr(name[:60]) for name in wrong)}.",
            "Names are letters, digits and hyphens; values have no line breaks.",
        )


def _check_sendable(headers: Headers) -> None:
    if refused := [name for name in headers if _BROWSERS.fullmatch(name)]:
        raise InvalidArgument(
            f"Only the browser itself sets {', '.join(refused)}: with such a header given, it "
            "refuses to send requests.",
            "Leave them out; the headers set before still hold. Host follows from the URL.",
        )
