"""Which hosts a pattern matches, and how a list of hosts is narrowed."""

import pytest

from charlotte.base.errors import InvalidArgument
from charlotte.guard.host_patterns import HostList, place_of, read_host_pattern


@pytest.mark.parametrize(
    ("pattern", "url", "permits"),
    [
        ("example.org", "https://example.org/", True),
        ("example.org", "https://example.org:8443/", True),
        ("example.org", "https://EXAMPLE.org./", True),
        ("example.org", "https://www.example.org/", False),
        ("example.org", "https://example.org.evil.test/", False),
        ("example.org", "https://evil.test/example.org", False),
        ("example.org", "https://example.org@evil.test/", False),
        ("*.example.org", "https://a.b.example.org/", True),
        ("*.example.org", "https://example.org/", True),
        ("*.example.org", "https://notexample.org/", False),
        ("example.org:443", "https://example.org/", True),
        ("example.org:443", "wss://example.org/", True),
        ("example.org:443", "http://example.org/", False),
        ("*", "https://anything.test/", True),
        ("*:443", "http://anything.test/", False),
        ("10.0.0.1", "http://10.0.0.1:8080/", True),
        ("[::1]:80", "http://[0:0:0:0:0:0:0:1]/", True),
        ("::1", "http://[::2]/", False),
        ("bücher.example", "https://xn--bcher-kva.example/", True),
        ("xn--bcher-kva.example", "https://bücher.example/", True),
        ("example.org", "http://[broken/", False),
        ("example.org", "data:text/html,a", True),
        ("example.org", "about:blank", True),
    ],
)
def test_a_pattern_permits_exactly_its_hosts(pattern: str, url: str, *, permits: bool) -> None:
    assert HostList.read([pattern]).permits_url(url) is permits


@pytest.mark.parametrize(
    "text",
    ["", "a b", "http://a.test", "a.test/x", "a.*.test", "a.test:0", "a.test:65536", "1:2:3", "*a"],
)
def test_other_texts_are_no_patterns(text: str) -> None:
    assert read_host_pattern(text) is None
    with pytest.raises(InvalidArgument, match="not a pattern of hosts"):
        HostList.read([text])


@pytest.mark.parametrize(
    ("whole", "part"),
    [
        ("*", "*.a.test"),
        ("*", "a.test:80"),
        ("*.a.test", "a.test"),
        ("*.a.test", "*.b.a.test"),
        ("a.test", "a.test:80"),
        ("*:443", "a.test:443"),
    ],
)
def test_a_list_is_narrowed_to_a_part_of_it(whole: str, part: str) -> None:
    narrowed = HostList.read([whole]).narrowed([part])
    assert narrowed.patterns == [part]
    with pytest.raises(InvalidArgument, match="can only narrow"):
        narrowed.narrowed([whole])


def test_a_list_within_another_group_permits_what_both_permit() -> None:
    both = HostList.read(["a.test", "b.test"]).within(HostList.read(["b.test", "c.test"]).groups[0])
    assert [both.permits(f"{name}.test", 80) for name in "abc"] == [False, True, False]


def test_a_place_is_found_in_urls_and_in_bare_places() -> None:
    assert place_of("wss://a.test/x") == ("a.test", 443)
    assert place_of("a.test:3478") == ("a.test", 3478)
    assert place_of("http://[broken/") == ("", 0)
