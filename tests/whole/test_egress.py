"""Remote agents cannot reach the private network through a page."""

import json
from pathlib import Path

import attrs
import pytest
import trio

from charlotte import Config, Text, open_charlotte
from charlotte.base.errors import NavigationBlocked
from tests.server.http.stage import TOKEN
from tests.site.server import open_site

_FETCH = "fetch({!r}, {{mode: 'no-cors'}}).then(() => 'reached', error => error.message)"

pytestmark = pytest.mark.chromium


async def test_an_allowed_page_cannot_send_requests_to_private_hosts() -> None:
    config = Config(http=True, host="192.0.2.1", auth_token=TOKEN, allow_host=("localhost",))
    found: dict[str, str] = {}
    async with (
        open_site() as site,
        open_charlotte(config) as charlotte,
        charlotte.open_session() as session,
    ):
        await session.call("navigate", {"url": site.url("/index.html", host="localhost")})
        for host in ("localhost", "127.0.0.1", "[::1]"):
            expression = _FETCH.format(site.url("/form.html", host=host))
            [block] = (await session.call("evaluate", {"expression": expression})).blocks
            assert isinstance(block, Text)
            found[host] = json.loads(block.text)["value"]
    assert found == {
        "localhost": "reached",
        "127.0.0.1": "Failed to fetch",
        "[::1]": "Failed to fetch",
    }


_CALLS = """const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:PORT'}]});
const gathered = new Promise((done) => { peer.onicegatheringstatechange = () => {
  if (peer.iceGatheringState === 'complete') done('gathered');
} });
peer.createDataChannel('a');
await peer.setLocalDescription();
await Promise.race([gathered, new Promise((done) => setTimeout(done, 2000))])"""


@pytest.mark.parametrize("is_open", [True, False])
async def test_a_webrtc_call_bypasses_no_proxy(*, is_open: bool) -> None:
    elsewhere = Config(http=True, host="192.0.2.1", auth_token=TOKEN)
    reached = trio.Event()

    async def listen(peer: trio.socket.SocketType) -> None:
        await peer.recv(1)
        reached.set()

    with trio.socket.socket(type=trio.socket.SOCK_DGRAM) as peer:
        await peer.bind(("127.0.0.1", 0))
        expression = _CALLS.replace("PORT", str(peer.getsockname()[1]))
        async with (
            open_charlotte(Config() if is_open else elsewhere) as charlotte,
            charlotte.open_session() as session,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(listen, peer)
            await session.call("navigate", {"url": "data:text/html,<h1>Calls</h1>"})
            await session.call("evaluate", {"expression": expression})
            nursery.cancel_scope.cancel()
    assert reached.is_set() is is_open


async def test_a_blocked_dev_serve_site_names_the_flag_to_allow_it(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<h1>Mine</h1>")
    elsewhere = Config(http=True, host="192.0.2.1", auth_token=TOKEN, root=(str(tmp_path),))
    allowed = attrs.evolve(elsewhere, allow_host=("127.0.0.1",))
    async with open_charlotte(elsewhere) as charlotte, charlotte.open_session() as session:
        with pytest.raises(NavigationBlocked) as refused:
            await session.call("dev_serve", {"path": str(tmp_path)})
        assert "--allow-host 127.0.0.1" in (refused.value.suggestion or "")
    async with open_charlotte(allowed) as charlotte, charlotte.open_session() as session:
        answer = await session.call("dev_serve", {"path": str(tmp_path)})
        assert any("Mine" in one.text for one in answer.blocks if isinstance(one, Text))
