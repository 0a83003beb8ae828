"""Rules for hosts and addresses, by name and by resolution."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from charlotte.base.errors import CharlotteError, InvalidArgument, NavigationBlocked
from charlotte.base.files import Roots
from charlotte.guard import url_guard
from charlotte.guard.url_guard import DebuggingPort, Guard

OPEN = Guard()


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://169.254.169.254./",
        "169.254.169.254",
        "http://2852039166/",
        "http://0xA9FEA9FE/",
        "http://[::ffff:169.254.169.254]/",
        "http://[::ffff:a9fe:a9fe]/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://[fd00:ec2:0::254]/",
        "http://METADATA.google.internal/",
        "http://metadata.google.internal./",
        "http://0251.0376.0251.0376/",
        "http://169.254.43518/",
        "http://169.254.170.2/",
        "http://100.100.100.200/",
        "http://[fd00:ec2::23]/",
        "http://168.63.129.16/",
    ],
)
def test_metadata_endpoints_are_always_blocked(url: str) -> None:
    with pytest.raises(NavigationBlocked, match="is a cloud metadata endpoint"):
        Guard(allowed=("169.254.169.254",)).checked(url)


@pytest.mark.parametrize("url", ["http://shop.test/", "http://a.shop.test:80/x", "SHOP.test."])
def test_a_blocked_host_is_refused_with_its_subdomains(url: str) -> None:
    with pytest.raises(NavigationBlocked, match="blocked by --block-host"):
        Guard(blocked=("shop.test",)).checked(url)


@pytest.mark.parametrize("url", ["http://myshop.test/", "http://test/", "http://127.0.0.1/"])
def test_other_hosts_are_not_refused(url: str) -> None:
    assert Guard(blocked=("shop.test",)).checked(url) == url


@pytest.mark.parametrize("host", ["shop.test", "Shop.test.", "a.shop.test.", "169.254.169.254."])
def test_a_host_is_refused_in_every_spelling_of_its_name(host: str) -> None:
    for blocked in ("shop.test", "SHOP.test."):
        assert Guard(blocked=(blocked,)).refuses(host)
    assert OPEN.refuses("metadata.google.internal.")


@pytest.mark.parametrize("host", ["10.1.2.3", "[::ffff:10.1.2.3]", "167838211", "0xa010203"])
def test_a_blocked_address_is_refused_in_every_spelling(host: str) -> None:
    assert "--block-host" in (Guard(blocked=("10.1.2.3",)).refusal(f"http://{host}/") or "")
    assert OPEN.refusal(f"http://{host}/") is None


async def test_a_name_of_a_blocked_address_is_refused(names: None) -> None:
    guard = Guard(blocked=("192.168.*",))

    assert guard.blocks_addresses
    assert "--block-host" in (await guard.refusal_of_address("http://router.test/") or "")
    assert await guard.refusal_of_address("http://intranet.test/") is None


def test_files_are_allowed_only_inside_the_roots(tmp_path: Path) -> None:
    page = tmp_path / "root" / "a b.html"
    page.parent.mkdir()
    page.touch()
    (tmp_path / "secret").touch()
    guard = Guard(files=Roots((page.parent,)))

    assert guard.checked(page.as_uri()) == page.as_uri()
    for url in ((tmp_path / "secret").as_uri(), f"{page.parent.as_uri()}/../secret", "file:///etc"):
        assert guard.refusal(url)
    assert OPEN.refusal(page.as_uri())


PRIVATE = Guard(public_only=True, allowed=("intranet.test",))
PLACES = {
    "shop.test": "93.184.216.34",
    "intranet.test": "10.0.0.1",
    "router.test": "192.168.1.1",
    "sneaky.test": "127.0.0.1",
    "v6.test": "fd00::1",
    "link.test": "169.254.1.1",
    "wrapped.test": "64:ff9b::a00:1",
    "many.test": "224.0.0.1",
    "localhost": "127.0.0.1",
    "secret.test": "169.254.169.254",
    "mapped-secret.test": "::ffff:169.254.169.254",
}


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    async def getaddrinfo(host: str, _: object) -> list[Any]:
        if host not in PLACES and not host[0].isdigit():
            raise OSError("unknown")
        return [(None, None, None, "", (PLACES.get(host, host), 0))]

    monkeypatch.setattr(trio.socket, "getaddrinfo", getaddrinfo)


@pytest.mark.parametrize(
    ("host", "refused"),
    [
        ("shop.test", False),
        ("intranet.test", False),
        ("a.intranet.test", False),
        ("nowhere.test", False),
        ("router.test", True),
        ("sneaky.test", True),
        ("v6.test", True),
        ("link.test", True),
        ("wrapped.test", True),
        ("many.test", True),
        ("localhost", True),
        ("shop.localhost", True),
        ("Shop.Localhost.", True),
        ("127.0.0.1", True),
        ("10.1.2.3", True),
        ("100.64.0.1", True),
    ],
)
async def test_private_hosts_are_refused_to_remote_agents(
    names: None, host: str, *, refused: bool
) -> None:
    refusal = await PRIVATE.refusal_of_address(f"http://{host}/")
    assert (refusal is not None) == refused
    assert await OPEN.refusal_of_address(f"http://{host}/") is None


@pytest.mark.parametrize("host", ["secret.test", "mapped-secret.test", "Secret.test."])
@pytest.mark.parametrize("guard", [OPEN, PRIVATE, Guard(public_only=True, allowed=("*.test",))])
async def test_a_name_of_a_metadata_endpoint_is_always_refused(
    names: None, host: str, guard: Guard
) -> None:
    assert "is a cloud metadata endpoint" in (
        await guard.refusal_of_address(f"http://{host}/") or ""
    )


async def test_with_a_proxy_only_hosts_that_may_be_private_are_resolved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sought: list[str] = []

    async def getaddrinfo(host: str, _: object) -> list[Any]:
        sought.append(host)
        return [(None, None, None, "", ("10.0.0.1", 0))]

    monkeypatch.setattr(trio.socket, "getaddrinfo", getaddrinfo)
    assert await Guard(by_proxy=True).refusal_of_address("http://a.test/") is None
    assert await Guard(by_proxy=True, public_only=True).refusal_of_address("http://b.test/")
    assert sought == ["b.test"]


@pytest.mark.parametrize("host", ["a..b", f"{'a' * 64}.test", "caf\u00e9..b"])
async def test_an_impossible_host_name_is_not_a_refusal(host: str) -> None:
    assert await PRIVATE.refusal_of_address(f"http://{host}/") is None


def test_the_browser_cannot_resolve_refused_hosts() -> None:
    rules = Guard(blocked=("shop.test",)).resolver_rules().split(",")
    assert {
        "MAP 169.254.169.* ~NOTFOUND",
        "MAP ::ffff:a9fe:a9* ~NOTFOUND",
        "MAP fd00:ec2:* ~NOTFOUND",
        "MAP 100.100.100.200 ~NOTFOUND",
        "MAP shop.test ~NOTFOUND",
        "MAP *.shop.test ~NOTFOUND",
        "MAP shop.test. ~NOTFOUND",
        "MAP *.shop.test. ~NOTFOUND",
        "MAP metadata.google.internal. ~NOTFOUND",
    } <= set(rules)


def test_a_path_is_resolved_against_the_present_url() -> None:
    shown = "http://shop.test:8080/cart/?id=1"
    assert OPEN.checked("/login?next=/cart/", shown) == "http://shop.test:8080/login?next=/cart/"
    assert OPEN.checked("//other.test/x", shown) == "http://other.test/x"
    assert OPEN.checked("shop.test/login", shown) == "https://shop.test/login"


@pytest.mark.parametrize(
    "url",
    [
        "http://x:99999/",
        "http://[::1",
        "http://10.1.2.3%00.evil.test/",
        "http://a b/",
        "https://",
        "http://<a>/",
        "http://1.2.3.4.5/",
        "http://256.1.1.1/",
        "http://0x7f.1.1.1.1/",
        "http://a.7/",
        "http://www.example.１/",  # noqa: RUF001 - browsers read a full-width digit as a digit
    ],
)
def test_an_address_with_an_invalid_host_or_port_is_an_invalid_argument(url: str) -> None:
    with pytest.raises(InvalidArgument, match=r"invalid host or port|is not a URL"):
        OPEN.checked(url)


def test_a_host_in_other_digits_is_parsed_like_in_browsers() -> None:
    url = "http://１.2.3.4/"  # noqa: RUF001
    assert OPEN.checked(url) == url


@pytest.mark.parametrize("url", ["", "  ", "5", "ht!tp://x", "://x", "1http://x"])
def test_a_text_that_is_no_url_is_an_invalid_argument(url: str) -> None:
    with pytest.raises(InvalidArgument, match="url must be a URL, got"):
        OPEN.checked(url)


def test_a_url_in_the_query_of_a_bare_host_is_no_scheme() -> None:
    for text in ("shop.test/?next=https://a.test/", "shop.test?next=https://a.test/"):
        assert OPEN.checked(text) == f"https://{text}"


def test_a_refused_file_names_the_setting_that_allows_files() -> None:
    with pytest.raises(NavigationBlocked) as refused:
        OPEN.checked("file:///etc/hosts")
    assert "--allow-file" in str(refused.value.suggestion)


async def test_the_debugging_port_is_refused_under_every_name_of_its_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = {"browser.test": ["192.0.2.7"], "rebinds.test": ["192.0.2.8", "127.0.0.1"]}

    async def resolve(host: str) -> list[str]:
        return names.get(host, [host])

    monkeypatch.setattr(url_guard, "resolved", resolve)
    port = await DebuggingPort.find("ws://browser.test:9222/devtools/browser/1")
    guard = Guard(debugging_port=port, attached=True, by_proxy=True)
    for host in ("browser.test", "192.0.2.7", "rebinds.test", "localhost", "[::ffff:127.0.0.1]"):
        refusal = await guard.refusal_of_address(f"http://{host}:9222/json/list")
        assert refusal is not None
        assert "is the debugging port of this browser" in refusal
    for other in ("http://192.0.2.8:9222/", "http://127.0.0.1:9223/", "https://browser.test/"):
        assert await guard.refusal_of_address(other) is None


# ---------------------------------------------------------------------------- typed addresses


@pytest.mark.parametrize(
    ("typed", "loaded"),
    [
        ("https://a.test/x?y#z", "https://a.test/x?y#z"),
        ("HTTP://a.test", "HTTP://a.test"),
        ("  http://a.test/\n", "http://a.test/"),
        ("a.test", "https://a.test"),
        ("a.test:8080/x", "https://a.test:8080/x"),
        ("localhost:3000", "http://localhost:3000"),
        ("localhost", "http://localhost"),
        ("127.0.0.1:3000/x", "http://127.0.0.1:3000/x"),
        ("[::1]:3000", "http://[::1]:3000"),
        ("data:text/html,hi", "data:text/html,hi"),
        ("about:blank", "about:blank"),
    ],
)
def test_a_typed_address_is_completed(typed: str, loaded: str) -> None:
    assert OPEN.checked(typed) == loaded


@pytest.mark.parametrize(
    "typed",
    [
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        "javascript:alert(1)",
        "chrome://settings",
        "view-source:http://a.test",
        "blob:http://a.test/1",
        "ftp://a.test/",
        "about:config",
        "devtools://devtools",
    ],
)
def test_other_schemes_are_blocked(typed: str) -> None:
    with pytest.raises(NavigationBlocked, match="URLs are not allowed"):
        OPEN.checked(typed)


@given(st.text() | st.from_regex(r"[a-z]{0,5}:?/{0,2}[\[\]:@/.a-z0-9]{0,12}"))
def test_every_text_is_a_url_or_an_error(typed: str) -> None:
    with suppress(CharlotteError):
        url = OPEN.checked(typed).lower()
        assert url.startswith(("http://", "https://", "data:", "about:blank"))
