"""Which addresses tabs may be sent to (surface, section 7)."""

import ipaddress
import re
from collections.abc import Iterable
from contextlib import suppress
from fnmatch import fnmatchcase
from urllib.parse import unquote, urljoin, urlsplit

import attrs
import trio

from charlotte.addresses import Address, is_public, unwrapped
from charlotte.errors import InvalidArgument, NavigationBlocked
from charlotte.files import Roots

METADATA = ("169.254.169.254", "[::ffff:a9fe:a9fe]", "[fd00:ec2::254]", "metadata.google.internal")
"""Where machines in a cloud are told their secrets: never to be opened."""

_SECRET = frozenset(name.strip("[]") for name in METADATA)

_SCHEMES = {"http", "https", "data"}
_LOCAL_HOSTS = ("localhost", "127.", "[::1]")
_LONGEST_QUOTE = 200
_RESOLVING_TAKES = 5.0


def plain(host: str) -> str:
    """A host as all its spellings are compared: in lower case, without the dot that may end it."""
    return host.lower().rstrip(".")


def _all_plain(hosts: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(plain, hosts))


@attrs.frozen(kw_only=True)
class Guard:
    """What is refused, of hosts and of files.

    ``blocked`` and ``allowed`` are hosts, with those below them. With ``public_only``, hosts whose
    addresses are private, of this machine or its network are refused, but not the ``allowed``.
    Files are refused but for those in ``files``. ``by_proxy`` says that a proxy finds the hosts.
    """

    blocked: tuple[str, ...] = attrs.field(default=(), converter=_all_plain)
    allowed: tuple[str, ...] = attrs.field(default=(), converter=_all_plain)
    public_only: bool = False
    files: Roots | None = None
    by_proxy: bool = False

    @property
    def holds_documents(self) -> bool:
        """Whether more may be refused than `resolver_rules` do."""
        return self.public_only or self.files is not None

    def checked(self, text: str, base: str = "") -> str:
        """Complete an address as a person types it; one that is only a path is of ``base``.

        Raises `NavigationBlocked` for what is refused, `InvalidArgument` for what is no address.
        """
        url = text.strip()
        if url.startswith("/") and base.startswith("http"):
            url = urljoin(base, url)
        if not _scheme(url) or _is_host_and_port(url):
            url = ("http://" if url.startswith(_LOCAL_HOSTS) else "https://") + url
        if self.files is not None and _scheme(url) == "file":
            self.files.check(unquote(urlsplit(url).path))
        if refusal := self.refusal(url):
            raise NavigationBlocked(refusal, "Use another address.")
        return url

    def refusal(self, url: str) -> str | None:
        """Why an address is refused by what it says, if it is."""
        scheme = _scheme(url)
        if scheme == "file" and self.files is not None:
            return self._file_refusal(url, self.files)
        if scheme not in _SCHEMES and url != "about:blank":
            return f"Charlotte does not load {scheme}: addresses ({quoted(url)!r})."
        host = host_of(url)
        if _is_metadata(host):
            return _tells_secrets(host)
        if _matches(host, self.blocked):
            return f"{host} is blocked by --block-host."
        return None

    def _file_refusal(self, url: str, files: Roots) -> str | None:
        path = unquote(urlsplit(url).path)
        try:
            files.files([path])
        except InvalidArgument as error:
            return error.message
        return None

    def refuses(self, host: str) -> bool:
        """Whether a host is refused by its name."""
        name = plain(host)
        return _is_metadata(name) or _matches(name, self.blocked)

    def allows(self, host: str) -> bool:
        """Whether a host may be private."""
        return not self.public_only or _matches(plain(host), self.allowed)

    async def refusal_of_place(self, url: str) -> str | None:
        """The same, by where the host is too."""
        if refusal := self.refusal(url):
            return refusal
        host = host_of(url)
        if not host or (self.by_proxy and self.allows(host)):
            return None
        found = await _addresses(host)
        if any(map(is_secret, found)):
            return _tells_secrets(host)
        inside = [one for one in found if not is_public(one)]
        if inside and not self.allows(host):
            return f"{host} is at {inside[0]}, in a private network; --allow-host can allow it."
        return None

    def resolver_rules(self) -> str:
        """Chromium's rules by which it finds no refused host, whoever asks: redirects, scripts."""
        names = [*METADATA, *self.blocked, *(f"*.{host}" for host in self.blocked)]
        return ",".join(f"MAP {name}{dot} ~NOTFOUND" for name in names for dot in ("", "."))


def is_secret(address: Address) -> bool:
    """Whether a machine in a cloud is told its secrets there."""
    return str(unwrapped(address)) in _SECRET


def host_of(url: str) -> str:
    """The host in an address, `plain`."""
    try:
        return plain(urlsplit(url).hostname or "")
    except ValueError:
        return ""


def quoted(url: str) -> str:
    """An address as messages show it: one with data in it is long."""
    return url if len(url) <= _LONGEST_QUOTE else f"{url[:_LONGEST_QUOTE]}…"


def _matches(host: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(host, one) or host.endswith(f".{one}") for one in patterns)


def _is_metadata(host: str) -> bool:
    """Whether it is such a host, also where its number is written in another way."""
    return host in _SECRET or any(map(is_secret, _numbers(host)))


def _tells_secrets(host: str) -> str:
    return f"{host} tells secrets of the machine: it is never opened."


def _numbers(host: str) -> list[Address]:
    """The address that browsers take a number or an IPv6 form of it for."""
    try:
        if re.fullmatch(r"[0-9]{1,10}|0x[0-9a-f]{1,8}", host):
            return [ipaddress.IPv4Address(int(host, 0))]
        return [unwrapped(ipaddress.IPv6Address(host))] if ":" in host else []
    except ValueError:
        return []


async def resolved(host: str) -> list[str]:
    """The addresses of a host as browsers find it, each once; raises ``OSError`` if it has none.

    Names below ``localhost`` are of this machine (RFC 6761, section 6.3), which not every resolver
    knows.
    """
    name = "localhost" if plain(host).endswith(".localhost") else host
    try:
        found = await trio.socket.getaddrinfo(name, None)
    except UnicodeError as error:
        raise OSError("no host can have that name") from error
    return list(dict.fromkeys(str(one[4][0]) for one in found))


async def _addresses(host: str) -> list[Address]:
    """Where a host is; nowhere, if that cannot be found out: then the browser cannot either."""
    with trio.move_on_after(_RESOLVING_TAKES), suppress(OSError):
        return [ipaddress.ip_address(one.partition("%")[0]) for one in await resolved(host)]
    return []


def _scheme(url: str) -> str:
    try:
        return urlsplit(url).scheme
    except ValueError as error:
        raise InvalidArgument(
            f"{url[:200]!r} is not an address: {error}.",
            "Give it in full, such as https://example.org/.",
        ) from error


def _is_host_and_port(url: str) -> bool:
    _, _, rest = url.partition(":")
    return rest.split("/", 1)[0].isdigit()
