"""Routes that ``--only-host`` cannot close are named, and prevent the start."""

import pytest

from charlotte import Config, open_charlotte
from charlotte.base.errors import InvalidArgument
from charlotte.config.checks import check_containment, has_egress, open_routes
from charlotte.config.sources import load

LISTED = ("a.test",)


@pytest.mark.parametrize(
    "config",
    [
        Config(only_host=LISTED),
        Config(only_host=LISTED, user_data_dir="profile"),
        Config(only_host=LISTED, proxy_server="http://proxy.test:3128"),
        Config(only_host=LISTED, chromium_arg=("--lang=de",)),
    ],
)
def test_a_browser_that_charlotte_starts_has_no_open_routes(config: Config) -> None:
    assert open_routes(config) == []
    check_containment(config)


@pytest.mark.parametrize(
    ("config", "route"),
    [
        (Config(only_host=LISTED, cdp_endpoint="http://127.0.0.1:9222"), "WebRTC over UDP"),
        (Config(only_host=LISTED, cdp_endpoint="ws://far.test/a"), "everything but documents"),
        (Config(only_host=LISTED, attach="chrome"), "tabs of the browser's owner"),
        (Config(only_host=LISTED, chromium_arg=("--no-proxy-server",)), "--no-proxy-server"),
        (Config(only_host=LISTED, chromium_arg=("--proxy-bypass-list=a",)), "--proxy-bypass-list"),
        (
            Config(only_host=LISTED, chromium_arg=("--host-resolver-rules=EXCLUDE a.test",)),
            "--host-resolver-rules",
        ),
    ],
)
def test_open_routes_are_named_and_must_be_accepted(config: Config, route: str) -> None:
    with pytest.raises(InvalidArgument, match=route):
        check_containment(config)


def test_open_routes_are_accepted_only_of_a_contained_browser() -> None:
    with pytest.raises(InvalidArgument, match="add --only-host"):
        load({"allow_open_routes": True}, {})


@pytest.mark.parametrize("proxy", ["proxy.test:3128", "socks4://a.test:1", "http=a.test:1"])
def test_an_upstream_proxy_must_be_of_a_known_kind(proxy: str) -> None:
    with pytest.raises(InvalidArgument, match="--proxy-server must be"):
        load({"only_host": ["a.test"], "proxy_server": proxy}, {})


def test_an_invalid_pattern_is_refused_at_the_start() -> None:
    with pytest.raises(InvalidArgument, match="--only-host must be a host"):
        load({"only_host": ["http://a.test"]}, {})


def test_a_browser_on_another_machine_cannot_use_the_proxy() -> None:
    assert has_egress(Config(cdp_endpoint="ws://[::1]:9222/a"))
    assert has_egress(Config(attach="chrome"))
    assert not has_egress(Config(cdp_endpoint="ws://far.test:9222/a"))


async def test_embedding_refuses_open_routes_too() -> None:
    config = Config(only_host=LISTED, chromium_arg=("--no-proxy-server",))
    with pytest.raises(InvalidArgument, match="no-proxy-server"):
        async with open_charlotte(config):
            pass
