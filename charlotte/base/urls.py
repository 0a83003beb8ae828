"""Checks on URLs and IP addresses: origins, loopback, public networks."""

import re
from contextlib import suppress
from fnmatch import fnmatchcase
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import urlsplit

import attrs

Address = IPv4Address | IPv6Address

_ENDPOINT_SCHEMES: Final = frozenset({"ws", "wss", "http", "https"})
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
PROXY_PORTS: Final = {"http": 80, "https": 443, "socks5": 1080}
"""Default ports of proxies, by the scheme of their URL."""
_EMBEDDING: Final = tuple(map(IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48", "::/96")))
"""Networks whose last 32 bits are an IPv4 address: both of NAT64, and IPv4-compatible addresses."""


def is_endpoint(value: str) -> bool:
    """Whether a URL can be the DevTools endpoint of a browser."""
    if not value.isascii() or re.search(r"\s", value):
        return False
    try:
        parts = urlsplit(value)
        return parts.scheme in _ENDPOINT_SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:  # an invalid port, an unclosed bracket
        return False


def is_proxy(text: str) -> bool:
    """Whether a text is the URL of a proxy of a supported kind: ``SCHEME://HOST[:PORT]``."""
    with suppress(ValueError):
        parts = urlsplit(text)
        rest = parts.username, parts.path.strip("/"), parts.query
        is_known = parts.scheme in PROXY_PORTS and bool(parts.hostname)
        return is_known and parts.port != 0 and not any(rest)
    return False


def is_host(text: str) -> bool:
    """Whether a text is the name of a host or an IP address."""
    with suppress(ValueError):
        return bool(ip_address(text))
    return bool(re.fullmatch(r"[\w-]+(\.[\w-]+)*\.?", text))


def is_safe_url(text: str) -> bool:
    """Whether a URL uses https or leads to this machine."""
    with suppress(ValueError):
        parts = urlsplit(text)
        host = parts.hostname or ""
        return bool(host) and (parts.scheme == "https" or is_loopback(host))
    return False


def is_loopback(host: str) -> bool:
    """Whether a host is a loopback address or localhost."""
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def is_local_port(url: str, port: int) -> bool:
    """Whether a URL as browsers write it leads to a port of this machine, without a lookup."""
    with suppress(ValueError):
        parts = urlsplit(url)
        default = _DEFAULT_PORTS.get(parts.scheme)
        return is_local(parts.hostname or "") and (parts.port or default) == port
    return False


def is_local(host: str) -> bool:
    """Whether a host is a name of this machine, or an address that leads to it."""
    with suppress(ValueError):
        address = unwrapped(ip_address(host))
        return address.is_loopback or address.is_unspecified
    return is_this_machine(host.lower().rstrip("."))


def is_this_machine(host: str) -> bool:
    """Whether a host is a name of this machine that resolves to 127.0.0.1."""
    return host in {"127.0.0.1", "localhost"} or host.endswith(".localhost")


def is_loadable(url: str) -> bool:
    """Return whether a browser loads an address itself; others, such as mailto:, go to programs."""
    scheme = url.partition(":")[0].lower()
    return scheme in _LOADED or scheme.startswith("chrome")


def origin_of(url: str) -> str | None:
    """Return the origin of an http or https URL as browsers write it; None for others."""
    with suppress(ValueError):
        parts = urlsplit(url)
        if parts.scheme in _DEFAULT_PORTS and parts.hostname:
            host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
            is_usual = parts.port in {None, _DEFAULT_PORTS[parts.scheme]}
            return f"{parts.scheme}://{host}" + ("" if is_usual else f":{parts.port}")
    return None


_LOADED: Final = {"", "http", "https", "about", "data", "blob", "file", "filesystem", "javascript"}
_HAS_VALUES: Final = re.compile("(?i)^(?:https?|wss?|data|blob|file|ftp):")


def without_query_values(text: str) -> str:
    """Return a URL without the values of its query, its login and its fragment.

    Other texts are returned unchanged; of a ``data:`` URL only the type remains.
    """
    if not _HAS_VALUES.match(text):
        return text
    if text[:5].lower() == "data:":
        return f"{text[:100].partition(',')[0]},…"
    address, hash_sign, _ = text.partition("#")
    address, question_mark, query = address.partition("?")
    start, slashes, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    names = "&".join(
        f"{name}=…" if sign else "…"
        for name, sign, _ in (pair.partition("=") for pair in query.split("&"))
    )
    shown = f"{start}{slashes}{host.rpartition('@')[2]}{slash}{path}"
    return shown + (f"?{names}" if question_mark else "") + ("#…" if hash_sign else "")


def matches_host(pattern: str, host: str) -> bool:
    """Whether a host matches a name, ``*.NAME`` for it and its subdomains, or ``*`` for all."""
    domain = pattern.removeprefix("*.")
    if pattern == "*" or host == domain:
        return bool(host)
    return domain != pattern and host.endswith(f".{domain}")


@attrs.frozen
class UrlPattern:
    """A match pattern, as browser extensions use them: ``SCHEME://HOST[:PORT]/PATH``.

    The scheme is ``http``, ``https`` or ``*`` for both. The host is a name, ``*`` for all, or
    ``*.NAME`` for the name and its subdomains. Without a port, all ports match. In the path, which
    includes the query, ``*`` stands for any text.
    """

    scheme: str
    host: str
    port: int | None
    path: str

    def matches(self, url: str) -> bool:
        """Return whether a URL matches."""
        with suppress(ValueError):
            parts = urlsplit(url)
            if parts.scheme not in _DEFAULT_PORTS or self.scheme not in {"*", parts.scheme}:
                return False
            port = parts.port or _DEFAULT_PORTS[parts.scheme]
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            return (
                matches_host(self.host, parts.hostname or "")
                and self.port in {None, port}
                and fnmatchcase(path, self.path.replace("[", "[[]").replace("?", "[?]"))
            )
        return False

    def matches_site(self, origin: str) -> bool:
        """Return whether any URL of an origin can match."""
        return attrs.evolve(self, path="/*").matches(f"{origin}/")

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}{'' if self.port is None else f':{self.port}'}{self.path}"


_PATTERN: Final = re.compile(
    r"(?P<scheme>\*|https?)://(?P<host>\*|(?:\*\.)?[^/:*\[\]@\s]+|\[[0-9a-fA-F:.]+\])"
    r"(?::(?P<port>[0-9]{1,5}))?(?P<path>/\S*)"
)


def read_pattern(text: str) -> UrlPattern | None:
    """Parse a match pattern; return None for any other text."""
    found = _PATTERN.fullmatch(text)
    if found is None:
        return None
    port = found["port"]
    host = found["host"].strip("[]").lower()
    return UrlPattern(found["scheme"], host, int(port) if port else None, found["path"])


def is_public(address: Address) -> bool:
    """Whether an address belongs to the public Internet."""
    inside = unwrapped(address)
    return inside.is_global and not inside.is_multicast


def unwrapped(address: Address) -> Address:
    """Return the IPv4 address inside an IPv6 address (mapped, 6to4, NAT64), else the address."""
    if isinstance(address, IPv4Address):
        return address
    if int(address) > 1 and any(address in network for network in _EMBEDDING):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address
