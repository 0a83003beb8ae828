"""With ``--only-host``, no route of a page leads to another host, whatever happened to the browser.

``make test-containment`` tries all routes; `test_a_contained_page_reaches_no_other_host` a sample.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.containment.routes import ROUTES

pytestmark = pytest.mark.chromium

SAMPLE = {
    *(
        "a navigation by script",
        "a frame",
        "a popup",
        "fetch over TLS",
        "a WebSocket",
        "WebTransport",
    ),
    *("STUN", "TURN over TCP", "a service worker", "preconnect"),
}
_NOT_PERMITTED = 77
_OTHERS = {"224.0.0.251", "accounts.google.com", "sink.test"}
"""What an unlimited browser reaches by itself."""

HOSTILE = {
    "webrtc": {"ip_handling_policy": "default", "multiple_routes_enabled": True},
    "proxy": {"mode": "direct"},
    "net": {"network_prediction_options": 0},
    "dns_over_https": {"mode": "secure", "templates": "https://10.9.200.1/dns-query"},
}
"""Preferences of a profile that open routes."""

Reached = dict[str, dict[str, list[str]]]


def run(*arguments: str, patience: float = 400) -> Reached:
    """Try routes; return what reached the sink, by scenario."""
    command = [sys.executable, "-m", "tests.containment", *arguments]
    ran = subprocess.run(  # noqa: S603
        command, capture_output=True, text=True, timeout=patience, check=False
    )
    if ran.returncode == _NOT_PERMITTED:
        pytest.skip(f"no network namespace: {ran.stderr.strip()}")
    assert ran.returncode == 0, ran.stderr[-3000:]
    found: Reached = json.loads(ran.stdout)
    return found


@pytest.fixture
def hostile_profile(tmp_path: Path) -> Path:
    default = tmp_path / "profile" / "Default"
    default.mkdir(parents=True)
    (default / "Preferences").write_text(json.dumps(HOSTILE))
    (default.parent / "Local State").write_text(json.dumps(HOSTILE))
    return default.parent


def test_a_contained_page_reaches_no_other_host() -> None:
    routes = [str(number) for number, route in ROUTES.items() if route.name in SAMPLE]
    assert len(routes) == len(SAMPLE)
    assert run("--end", "1", "--routes", *routes) == {"tab name": {}}


@pytest.mark.fault
@pytest.mark.timeout(420)
def test_an_unlimited_page_reaches_the_sink_on_nearly_all_routes(tmp_path: Path) -> None:
    found = run("--control", "--profile", str(tmp_path / "profile"))["tab name"]
    expected = {f"route {number}" for number, route in ROUTES.items() if not route.unreached}
    missing = expected - found.keys()
    assert len(missing) <= len(expected) // 20, missing  # a busy machine ends some too early
    assert {key for key in found if not key.startswith("route")} <= _OTHERS


@pytest.mark.fault
@pytest.mark.timeout(420)
def test_no_route_leads_out_of_tabs_and_popups() -> None:
    found = run("--scenario", "tab", "popup", "tab")
    assert found == {"tab name": {}, "popup address": {}, "tab loopback": {}}


@pytest.mark.fault
@pytest.mark.timeout(420)
def test_no_route_leads_out_after_renderers_and_browsers_were_killed() -> None:
    found = run("--scenario", "renderer", "browser")
    assert found == {"renderer name": {}, "browser address": {}}


@pytest.mark.fault
@pytest.mark.timeout(420)
def test_no_route_leads_out_of_a_profile_with_hostile_preferences(hostile_profile: Path) -> None:
    assert run("--profile", str(hostile_profile)) == {"tab name": {}}
