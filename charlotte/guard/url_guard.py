"""Rules for the URLs, hosts and addresses that tabs may load."""

import ipaddress
import re
import socket
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from urllib.parse import unquote, urljoin, urlsplit

import attrs
import trio

from charlotte.base.errors import InvalidArgument, NavigationBlocked, ellipsize
from charlotte.base.files import Roots
from charlotte.base.urls import Address, is_local, is_public, unwrapped
from charlotte.guard.host_patterns import HostList, place_of

METADATA = (
    "169.254.169.0/24",  # most clouds, at .254
    "169.254.170.0/24",  # containers and pods of AWS
    "169.254.0.23/32",  # Tencent
    "169.254.42.42/32",  # Scaleway
    "100.100.100.200/32",  # Alibaba
    "168.63.129.16/32",  # Azure
    "192.0.0.192/32",  # Oracle
    "fd00:ec2::/32",  # AWS
    "fd20:ce::254/128",  # Google
    "fd00:42::42/128",  # Scaleway
)
"""Networks of cloud metadata endpoints, which are always blocked."""
_METADATA_NETWORKS = tuple(map(ipaddress.ip_network, METADATA))
_METADATA_NAMES = ("metadata.google.internal", "metadata.goog")

_SCHEMES = {"http", "https", "data"}
_MALFORMED = re.compile(r"\d+\Z|(?![a-zA-Z][\w+.-]*:)[^/?#]*://")
"""A number, or an invalid scheme. Behind a host, `://` belongs to a query."""
EGRESS_FAILED = "net::ERR_SOCKS_CONNECTION_FAILED"
"""Chromium's error for every failure behind the egress proxy."""

REFUSED = "refused by --only-host"
"""The error of a request to a host that is not listed."""

_NOT_LISTED = "is not among the hosts of --only-host"
_LOCAL_HOSTS = ("localhost", "127.", "[::1]")
_LONGEST_QUOTE = 200
_RESOLVING_TAKES = 5.0


def normalize_host(host: str) -> str:
    """Normalize a host: lower case, without a trailing dot."""
    return host.lower().rstrip(".")


def _normalize_hosts(hosts: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(normalize_host, hosts))


@attrs.frozen
class DebuggingPort:
    """The port at which Charlotte controls a running browser; pages could control it there too.

    The browser has it at ``host``, which has some ``addresses``, and at its own loopback addresses.
    """

    host: str
    port: int
    addresses: Sequence[Address]

    @classmethod
    async def find(cls, endpoint: str) -> "DebuggingPort":
        """Return the port of a websocket."""
        host, port = place_of(endpoint)
        return cls(host, port, await _addresses(host))

    def shows(self, url: str) -> bool:
        """Return whether a URL of a document is at the port, which refuses unknown names."""
        host, port = place_of(url)
        is_here = host == self.host or is_local(host) or host in map(str, self.addresses)
        return port == self.port and is_here

    async def is_at(self, url: str) -> bool:
        """Return whether a URL leads to the port, under any name and spelling."""
        host, port = place_of(url)
        return self.shows(url) or (
            port == self.port
            and any(one in self.addresses or is_local(str(one)) for one in await _addresses(host))
        )


@attrs.frozen(kw_only=True)
class Guard:
    """Rules for hosts and files that tabs may load.

    ``blocked`` and ``allowed`` are hosts with their subdomains. With ``public_only``, hosts with
    private addresses are refused, except those in ``allowed``. Files are refused except those in
    ``files``. ``by_proxy`` means that a proxy resolves hosts, ``attached`` that the browser was not
    started by Charlotte and has no resolver rules; its ``debugging_port`` is refused. ``only``
    lists the only hosts that may be reached.
    """

    blocked: tuple[str, ...] = attrs.field(default=(), converter=_normalize_hosts)
    allowed: tuple[str, ...] = attrs.field(default=(), converter=_normalize_hosts)
    public_only: bool = False
    files: Roots | None = None
    by_proxy: bool = False
    attached: bool = False
    debugging_port: DebuggingPort | None = None
    only: HostList | None = None

    @property
    def holds_documents(self) -> bool:
        """Whether the guard refuses more than `resolver_rules` and the egress proxy do."""
        without_egress = (self.by_proxy and self.only is None) or self.attached
        return self.public_only or without_egress or self.files is not None

    def checked(self, text: str, base: str = "") -> str:
        """Complete a URL as a user types it; a path is resolved against ``base``.

        Raises `NavigationBlocked` if it is refused, `InvalidArgument` if it is invalid.
        """
        url = text.strip()
        if not url or _MALFORMED.match(url):
            raise InvalidArgument(
                f"url must be a URL, got {quoted(text)!r}.",
                "Pass a complete URL such as https://example.org/.",
            )
        if url.startswith("/") and base.startswith("http"):
            url = urljoin(base, url)
        is_host_and_port = url.partition(":")[2].partition("/")[0].isdigit()
        if not _scheme(url) or is_host_and_port:
            url = ("http://" if url.startswith(_LOCAL_HOSTS) else "https://") + url
        if self.files is not None and _scheme(url) == "file":
            self.files.inside(unquote(urlsplit(url).path))
        if _scheme(url) in {"http", "https"} and not _has_valid_host(url):
            raise InvalidArgument(
                f"{quoted(url)!r} has an invalid host or port.",
                "Pass a complete URL such as https://example.org:8080/.",
            )
        if refusal := self.refusal(url):
            raise NavigationBlocked(refusal, self._advice(url))
        return url

    def _advice(self, url: str) -> str:
        """Return the next step for a refused URL."""
        if _scheme(url) == "file" and self.files is None:
            return "Start Charlotte with --allow-file to open files inside its roots."
        if _scheme(url) == "file":
            return "Use a file inside the roots; --root adds a directory."
        return "Use another URL."

    def refusal(self, url: str) -> str | None:
        """Return the reason for which a URL is refused, if any."""
        scheme = _scheme(url)
        if scheme == "file" and self.files is not None:
            try:
                self.files.files([unquote(urlsplit(url).path)])
            except InvalidArgument as error:
                return error.message
            return None
        if scheme not in _SCHEMES and url != "about:blank":
            return f"{scheme}: URLs are not allowed: {quoted(url)!r}."
        if not self.lists(url):
            place = quoted(urlsplit(url).netloc.rpartition("@")[2])
            return f"{place} {_NOT_LISTED}: {quoted(str(self.only))}."
        return self._refusal_of(host_of(url))

    def _refusal_of(self, host: str, resolved_to: Sequence[Address] = ()) -> str | None:
        addresses = resolved_to or _numbers(host)
        if host in _METADATA_NAMES or any(map(is_metadata_address, addresses)):
            return f"{host} is a cloud metadata endpoint and is always blocked."
        if _matches(host, self.blocked) or any(map(self.refuses_address, addresses)):
            return f"{host} is blocked by --block-host."
        return None

    def closes(self, url: str) -> bool:
        """Return whether a document with a URL is at the debugging port."""
        return self.debugging_port is not None and self.debugging_port.shows(url)

    def explain(self, url: str, reason: str) -> str:
        """Return why a request failed: Chromium does not know why the egress proxy refuses it."""
        return REFUSED if EGRESS_FAILED in reason and not self.lists(url) else reason

    def lists(self, url: str) -> bool:
        """Return whether the host of a URL may be reached, as far as ``only`` limits them."""
        return self.only is None or self.only.permits_url(url)

    def refuses(self, host: str, port: int | None = None) -> bool:
        """Return whether a host is refused by its name."""
        is_listed = self.only is None or self.only.permits(host, port)
        return not is_listed or self._refusal_of(normalize_host(host)) is not None

    def refuses_address(self, address: Address) -> bool:
        """Return whether an address is refused under every name."""
        return is_metadata_address(address) or _matches(str(unwrapped(address)), self.blocked)

    @property
    def blocks_addresses(self) -> bool:
        """Return whether an address, or a pattern that matches addresses, is blocked."""
        return any(re.fullmatch(r"[0-9a-f:.*?]*[0-9:*?]", one) for one in self.blocked)

    def allows(self, host: str) -> bool:
        """Return whether a host may be private."""
        return not self.public_only or _matches(normalize_host(host), self.allowed)

    async def refusal_of_address(self, url: str) -> str | None:
        """Return the reason for which a URL is refused, including the address of its host."""
        if refusal := self.refusal(url):
            return refusal
        host = host_of(url)
        if self.debugging_port is not None and await self.debugging_port.is_at(url):
            return f"{quoted(url)} is the debugging port of this browser and is always blocked."
        if not host or (self.by_proxy and self.allows(host)):
            return None
        found = await _addresses(host)
        if refusal := self._refusal_of(host, found):
            return refusal
        inside = [one for one in found if not is_public(one)]
        if inside and not self.allows(host):
            return f"{host} has the private address {inside[0]}; allow it with --allow-host."
        return None

    def resolver_rules(self) -> str:
        """Return Chromium's rules that make refused hosts unresolvable, also for scripts.

        Chromium compares IPv6 addresses without brackets.
        """
        hosts = (*_METADATA_NAMES, *self.blocked)
        names = [*hosts, *(f"*.{host}" for host in hosts)]
        patterns = [f"{name}{dot}" for name in names for dot in ("", ".")]
        patterns += [one for network in _METADATA_NETWORKS for one in _patterns(network)]
        return ",".join(f"MAP {one} ~NOTFOUND" for one in patterns)


def is_metadata_address(address: Address) -> bool:
    """Return whether an address is a cloud metadata endpoint."""
    inside = unwrapped(address)
    return any(inside in network for network in _METADATA_NETWORKS)


def _patterns(network: ipaddress.IPv4Network | ipaddress.IPv6Network) -> Iterator[str]:
    """Yield patterns of all spellings in which Chromium compares the addresses of a network."""
    is_one, is_v4 = network.prefixlen == network.max_prefixlen, network.version == 4  # noqa: PLR2004
    first = str(network[0])
    yield first if is_one else first.removesuffix("0" if is_v4 else ":") + "*"
    if isinstance(network, ipaddress.IPv4Network):
        inner = ipaddress.IPv6Address(int(network[0])).exploded[-9:]
        high, low = (group.lstrip("0") or "0" for group in inner.split(":"))
        low = low if is_one else low[:-2] + "*"
        for prefix in ("::ffff:", "64:ff9b::", "64:ff9b:1::", "::"):
            yield f"{prefix}{high}:{low}"


def host_of(url: str) -> str:
    """Return the normalized host of a URL."""
    try:
        return normalize_host(urlsplit(url).hostname or "")
    except ValueError:
        return ""


def quoted(url: str) -> str:
    """Quote a URL for messages, shortening long ones."""
    return ellipsize(url, _LONGEST_QUOTE)


def _matches(host: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(host, one) or host.endswith(f".{one}") for one in patterns)


def _numbers(host: str) -> list[Address]:
    """Return the address of which a host is another spelling, as browsers parse it."""
    with suppress(ValueError, OSError):
        if ":" in host:
            return [ipaddress.IPv6Address(host.partition("%")[0])]
        if re.fullmatch(r"[0-9a-fx.]+", host):  # decimal, octal and hexadecimal, 1 to 4 parts
            return [ipaddress.IPv4Address(socket.inet_aton(host))]
    return []


async def resolved(host: str) -> list[str]:
    """Resolve a host as browsers do, without duplicates; raises ``OSError`` without an address.

    Names below ``localhost`` are loopback (RFC 6761, section 6.3), which not every resolver knows.
    """
    name = "localhost" if normalize_host(host).endswith(".localhost") else host
    try:
        found = await trio.socket.getaddrinfo(name, None)
    except UnicodeError as error:
        raise OSError("invalid host name") from error
    return list(dict.fromkeys(str(one[4][0]) for one in found))


async def connection_problem(url: str) -> str:
    """Return Chromium's name of the reason for which the egress proxy could not connect."""
    is_resolved = await _addresses(host_of(url))
    return f"net::ERR_{'CONNECTION_FAILED' if is_resolved else 'NAME_NOT_RESOLVED'}"


async def _addresses(host: str) -> list[Address]:
    """Return the addresses of a host; empty if it cannot be resolved."""
    with trio.move_on_after(_RESOLVING_TAKES), suppress(OSError):
        return [ipaddress.ip_address(one.partition("%")[0]) for one in await resolved(host)]
    return []


def _scheme(url: str) -> str:
    try:
        return urlsplit(url).scheme
    except ValueError as error:
        raise InvalidArgument(
            f"{ellipsize(url, 200)!r} is not a URL: {error}.",
            "Pass a complete URL such as https://example.org/.",
        ) from error


def _has_valid_host(url: str) -> bool:
    """Return whether browsers accept the host and the port of a URL."""
    parts = urlsplit(url)
    with suppress(ValueError):
        _ = parts.port
        host = unicodedata.normalize("NFKC", normalize_host(unquote(parts.hostname or " ")))
        # a host that ends in a number is an IPv4 address
        is_number = re.fullmatch(r"[0-9]+|0x[0-9a-f]*", host.rpartition(".")[2])
        is_address = not is_number or bool(_numbers(host))
        return is_address and not re.search(r"[\x00-\x20\x7f<>^|%]", host)
    return False
