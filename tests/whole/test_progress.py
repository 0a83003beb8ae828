"""Progress notifications of long calls, over both transports and both protocol eras."""

import json
from collections.abc import Iterable

import attrs
import pytest

from bench.agents import open_http_server
from tests.server.http.clients import ERAS, Handshaking, Message, Stateless, connected
from tests.site.server import PAGES, open_site
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

PATH = "/slow?ms=300&name=Slow"


@attrs.frozen
class Slow:
    """A call and its expected progress messages; URL stands for the address of a slow page."""

    tool: str
    arguments: Message
    expected: tuple[str, ...]
    total: int | None = None

    def asked(self, url: str) -> Message:
        """Return the parameters of the request, with the tool's name as token."""
        arguments = json.loads(json.dumps(self.arguments).replace("URL", url))
        return {"name": self.tool, "arguments": arguments, "_meta": {"progressToken": self.tool}}

    def check_progress(self, notifications: Iterable[Message], url: str) -> None:
        received = [
            one["params"]
            for one in notifications
            if one["params"].get("progressToken") == self.tool
        ]
        messages = [str(one.get("message")) for one in received]
        for wanted in self.expected:
            assert any(wanted.replace("URL", url) in message for message in messages), messages
        assert {self.total} == {one.get("total") for one in received}
        numbers = [one["progress"] for one in received]
        assert numbers == sorted(set(numbers))


SLOW = [
    Slow("navigate", {"url": "URL"}, ("requesting URL", "reading the page")),
    Slow("tab_open", {"url": "URL"}, ("waiting until the page stands still", "reading the page")),
    Slow("wait_for", {"text": "Never", "timeout": 300}, ("Never",)),
    Slow(
        "batch",
        {"steps": [{"tool": "tabs"}, {"tool": "navigate", "arguments": {"url": "URL"}}]},
        ("navigate: requesting URL",),
        total=2,
    ),
    Slow("dev_audit", {}, ("performance of tab-",)),
    Slow("screenshot", {"full_page": True}, ("taking the picture",)),
]


@pytest.mark.parametrize("slow", SLOW, ids=lambda slow: slow.tool)
def test_progress_is_reported_over_stdio(tab: Tab, slow: Slow) -> None:
    tab.open("/counter.html")
    tab.server.notifications.clear()
    url = tab.web.url(PATH)

    tab.server.ask("tools/call", slow.asked(url))

    slow.check_progress(tab.server.notifications, url)


@pytest.mark.fault
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.extended
async def test_progress_is_reported_over_http(era: type[Handshaking | Stateless]) -> None:
    async with (
        open_site(PAGES) as site,
        open_http_server() as (address, _),
        connected(era, address) as client,
    ):
        url = site.url(PATH)
        await client.call("navigate", url=site.url("/counter.html"))
        for slow in SLOW:
            await client.ask("tools/call", **slow.asked(url))
        for slow in SLOW:
            slow.check_progress(client.notifications, url)
