"""What an address says of the place it leads to."""

from ipaddress import ip_address

import pytest

from charlotte.base.urls import is_local_port, is_public, origin_of


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",  # noqa: S104 - nothing is bound
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fd00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
    ],
)
def test_what_only_some_can_reach_is_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "64:ff9b::808:808"])
def test_what_everybody_can_reach_is_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Shop.test/cart?id=1", "https://shop.test"),
        ("http://shop.test:80/", "http://shop.test"),
        ("https://shop.test:80/", "https://shop.test:80"),
        ("https://ada:secret@shop.test/", "https://shop.test"),
        ("http://[::1]:8080/", "http://[::1]:8080"),
    ],
)
def test_an_origin_is_scheme_host_and_a_port_that_is_not_the_usual(url: str, origin: str) -> None:
    assert origin_of(url) == origin


@pytest.mark.parametrize(
    "url", ["", "about:blank", "file:///etc", "https://", "http://a.test:port", "http://[::1"]
)
def test_what_is_of_no_server_has_no_origin(url: str) -> None:
    assert origin_of(url) is None


@pytest.mark.parametrize(
    "host", ["localhost", "a.localhost", "127.8.0.1", "[::]", "[::1]", "[::ffff:7f00:1]"]
)
def test_a_port_of_this_machine_has_many_spellings(host: str) -> None:
    assert is_local_port(f"http://{host}:9222/json", 9222)
    assert not is_local_port(f"http://{host}:9223/json", 9222)
    assert is_local_port(f"http://{host}/", 80)
    assert not is_local_port("http://localhost.test:9222/", 9222)
