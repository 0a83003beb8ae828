"""Pages of a local agent cannot reach the metadata endpoints of clouds."""

import json

import pytest
from structlog.testing import capture_logs

from charlotte import Config, Session, Text, open_charlotte
from charlotte.base.errors import NavigationFailed
from charlotte.guard import socks_proxy as egress
from charlotte.guard import url_guard as hosts
from tests.site.server import open_site

pytestmark = pytest.mark.chromium

PLACES = {
    "shop.test": "127.0.0.1",
    "secret.test": "169.254.169.254",
    "mapped.test": "::ffff:a9fe:a9fe",
}
LITERALS = (
    "169.254.169.254",
    "[::ffff:a9fe:a9fe]",
    "[fd00:ec2::254]",
    "169.254.170.2",
    "2852039166",
)
FETCH = "fetch('{}://{}/', {{mode: 'no-cors'}}).then(() => 'reached', error => error.message)"


@pytest.fixture(autouse=True)
def places(monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolved(host: str) -> list[str]:
        return [PLACES.get(host, host)]

    monkeypatch.setattr(egress, "resolved", resolved)


async def value(session: Session, expression: str) -> object:
    [block] = (await session.call("evaluate", {"expression": expression})).blocks
    assert isinstance(block, Text)
    return json.loads(block.text)["value"]


async def test_a_page_reaches_other_hosts_but_no_metadata_endpoint_by_any_name() -> None:
    with capture_logs() as logs:
        async with (
            open_site() as site,
            open_charlotte(Config()) as charlotte,
            charlotte.open_session() as session,
        ):
            await session.call("navigate", {"url": site.url("/index.html")})
            for host in (*PLACES, *LITERALS):
                for scheme in ("http", "https"):
                    asked = FETCH.format(scheme, host)
                    assert await value(session, asked) == "Failed to fetch", (scheme, host)
            await session.call("navigate", {"url": site.url("/index.html", host="shop.test")})
            assert await value(session, "location.hostname") == "shop.test"
    refused = {line["host"] for line in logs if line["event"] == "address refused"}
    assert refused >= {"secret.test", "mapped.test"}


async def test_a_failure_behind_the_proxy_is_reported_as_a_failure_of_the_site(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def resolved(host: str) -> list[str]:
        if host != "closed.test":
            raise OSError("unknown")
        return ["127.0.0.1"]

    monkeypatch.setattr(egress, "resolved", resolved)
    monkeypatch.setattr(hosts, "resolved", resolved)
    reasons = {
        "closed.test": "net::ERR_CONNECTION_FAILED",
        "unknown.test": "net::ERR_NAME_NOT_RESOLVED",
    }
    async with open_charlotte(Config()) as charlotte, charlotte.open_session() as session:
        for host, reason in reasons.items():
            with pytest.raises(NavigationFailed, match=reason):
                await session.call("navigate", {"url": f"http://{host}:61000/"})
