"""What takes its time is told while it goes on, over both transports and in both eras."""

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
    """A call, and what is told of it; in both stands URL for the address of a slow page."""

    tool: str
    arguments: Message
    told: tuple[str, ...]
    total: int | None = None

    def asked(self, url: str) -> Message:
        """The parameters of the request, with the tool's name as token."""
        arguments = json.loads(json.dumps(self.arguments).replace("URL", url))
        return {"name": self.tool, "arguments": arguments, "_meta": {"progressToken": self.tool}}

    def is_told_in(self, notifications: Iterable[Message], url: str) -> None:
        told = [
            one["params"]
            for one in notifications
            if one["params"].get("progressToken") == self.tool
        ]
        messages = [str(one.get("message")) for one in told]
        for wanted in self.told:
            assert any(wanted.replace("URL", url) in message for message in messages), messages
        assert {self.total} == {one.get("total") for one in told}
        numbers = [one["progress"] for one in told]
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
def test_it_is_told_on_the_pipe(tab: Tab, slow: Slow) -> None:
    tab.open("/counter.html")
    tab.server.notifications.clear()
    url = tab.web.url(PATH)

    tab.server.ask("tools/call", slow.asked(url))

    slow.is_told_in(tab.server.notifications, url)


@pytest.mark.fault
@pytest.mark.parametrize("era", ERAS)
async def test_it_is_told_over_http(era: type[Handshaking | Stateless]) -> None:
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
            slow.is_told_in(client.notifications, url)
