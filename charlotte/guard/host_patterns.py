"""Patterns of hosts, and lists of the only hosts that may be reached."""

import re
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

import attrs

from charlotte.base.errors import InvalidArgument, ellipsize
from charlotte.base.urls import matches_host

PORTS: Final = {"http": 80, "ws": 80, "https": 443, "wss": 443}
"""Default ports by the schemes of URLs that reach a host."""

_PATTERN: Final = re.compile(
    r"(?P<host>\*|(?:\*\.)?[\w-]+(?:\.[\w-]+)*\.?|\[[0-9a-fA-F:.]+\]|[0-9a-fA-F]*:[0-9a-fA-F:.]+)"
    r"(?::(?P<port>[0-9]{1,5}))?"
)
_ALL_PORTS: Final = range(1, 65_536)


@attrs.frozen
class HostPattern:
    """A host, ``*.NAME`` for a name and its subdomains, or ``*`` for all; with or without a port.

    An IPv6 address is without brackets here.
    """

    host: str
    port: int | None = None

    def matches(self, host: str, port: int | None) -> bool:
        """Return whether a normalized host and a port of it match."""
        return self.port in {None, port} and matches_host(self.host, host)

    def covers(self, other: "HostPattern") -> bool:
        """Return whether all that another pattern matches matches this pattern too."""
        if self.port not in {None, other.port}:
            return False
        if other.host.startswith("*") and not self.host.startswith("*"):
            return False
        return self.host == "*" or (
            other.host != "*" and matches_host(self.host, other.host.removeprefix("*."))
        )

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port is None else f"{host}:{self.port}"


def read_host_pattern(text: str) -> HostPattern | None:
    """Parse a pattern such as ``example.org``, ``*.example.org:8443`` or ``[::1]``."""
    found = _PATTERN.fullmatch(text)
    if found is None:
        return None
    port = int(found["port"]) if found["port"] else None
    with suppress(ValueError):
        host = _normalize(found["host"].strip("[]"))
        return HostPattern(host, port) if port is None or port in _ALL_PORTS else None
    return None


def _normalize(host: str) -> str:
    """Return a host as browsers request it; raises ``ValueError``."""
    if ":" in host:
        return str(ip_address(host))
    name = host.lower().rstrip(".")
    return name if name.isascii() else name.encode("idna").decode()


def place_of(url: str) -> tuple[str, int]:
    """Return host and port of a URL, or of ``HOST:PORT``; an empty host if it is invalid."""
    with suppress(ValueError):
        parts = urlsplit(url if "://" in url else f"//{url}")
        return parts.hostname or "", parts.port or PORTS.get(parts.scheme, 0)
    return "", 0


@attrs.frozen
class HostList:
    """The only hosts that may be reached: those that match a pattern of every group.

    A list is narrowed by another group, so it never grows.
    """

    groups: tuple[tuple[HostPattern, ...], ...]

    @classmethod
    def read(cls, *groups: Iterable[str]) -> "HostList":
        """Parse the patterns of one or more groups; raises `InvalidArgument`."""
        return cls(tuple(tuple(map(_read, texts)) for texts in groups))

    def permits(self, host: str, port: int | None) -> bool:
        """Return whether a host may be reached at a port."""
        try:
            name = _normalize(host)
        except ValueError:
            return False
        return all(any(each.matches(name, port) for each in group) for group in self.groups)

    def permits_url(self, url: str) -> bool:
        """Return whether a URL may be requested; one that reaches no host may be."""
        if url.partition(":")[0].lower() not in PORTS:
            return True
        return self.permits(*place_of(url))

    def narrowed(self, texts: Iterable[str]) -> "HostList":
        """Return the part of this list that some patterns name.

        Raises `InvalidArgument` for a pattern that reaches more than this list does.
        """
        added = tuple(map(_read, texts))
        for pattern in added:
            if not all(any(one.covers(pattern) for one in group) for group in self.groups):
                raise InvalidArgument(
                    f"only_hosts can only narrow the hosts that may be reached: {pattern} is not "
                    f"covered by {self}.",
                    f"Pass some of these hosts: {self}.",
                )
        return self.within(added)

    def within(self, *groups: tuple[HostPattern, ...]) -> "HostList":
        """Return the list of the hosts that other groups permit too."""
        return HostList(tuple(dict.fromkeys((*self.groups, *groups))))

    @property
    def patterns(self) -> list[str]:
        """The patterns of the last group, which is the narrowest."""
        return [str(pattern) for pattern in self.groups[-1]]

    def __str__(self) -> str:
        return ", ".join(self.patterns) or "no host"


def _read(text: str) -> HostPattern:
    pattern = read_host_pattern(text)
    if pattern is None:
        raise InvalidArgument(
            f"{ellipsize(text, 200)!r} is not a pattern of hosts.",
            "Pass a host, an IP address, *.NAME for a name and its subdomains, or * for all, "
            "each with or without :PORT.",
        )
    return pattern
