"""A network namespace in which every address exists, and a sink that sees every packet to others.

The name ``r12.sink.test`` has the address ``10.9.12.1``, so a packet or a lookup shows which route
led to it. The addresses ``127.9.12.1`` are other origins on this machine. Needs root.
"""

import ctypes
import re
import socket
import struct
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from functools import partial

import attrs
import trio

DNS = "10.9.0.53"
HOME_PORT = 8000
SINK_PORTS = 80, 443, 3478

_NEW_NETWORK, _NEW_MOUNTS = 0x40000000, 0x00020000
_PRIVATE = 1 << 18
_RECURSIVE = 1 << 14
_BIND = 1 << 12
_ALL_PACKETS = 3
_IPV4, _IPV6 = 0x0800, 0x86DD
_TCP, _UDP = 6, 17
_SYN_ONLY, _SYN_AND_ACK = 0x02, 0x12


def enter_namespace() -> None:
    """Move this process to a network of its own; raises ``OSError`` if that is not permitted."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_NEW_NETWORK | _NEW_MOUNTS):
        raise OSError(ctypes.get_errno(), "unshare")
    if libc.mount(None, b"/", None, _PRIVATE | _RECURSIVE, None):
        raise OSError(ctypes.get_errno(), "mount")
    with tempfile.NamedTemporaryFile("w") as resolver:  # the mount keeps the file
        resolver.write(f"nameserver {DNS}\noptions timeout:1 attempts:1\n")
        resolver.flush()
        if libc.mount(resolver.name.encode(), b"/etc/resolv.conf", None, _BIND, None):
            raise OSError(ctypes.get_errno(), "mount")
    for command in (
        "link set lo up",
        "link add v0 type veth peer name v1",  # a browser with nothing but lo is offline
        "address add 192.168.77.1/24 dev v0",
        "link set v0 up",
        "link set v1 up",
        "route add default via 192.168.77.2",
        "route add local 0.0.0.0/0 dev lo",
    ):
        subprocess.run(["ip", *command.split()], check=True)  # noqa: S603, S607


@attrs.define
class Sink:
    """What reached another host than `home`: by route, or by address if it belongs to no route."""

    seen: defaultdict[str, set[str]] = attrs.field(factory=lambda: defaultdict(set))

    def note(self, kind: str, address: str) -> None:
        """Record a packet to an address, or a lookup of a name."""
        if found := re.match(r"(?:127|10)\.9\.(\d+)\.|r(\d+)\.sink\.test", address):
            route = found[1] or found[2]
            self.seen[f"route {route}"].add(kind)
        else:
            self.seen[address].add(kind)

    def see(self, protocol: int, packet: bytes) -> None:
        """Record a datagram, or the first packet of a connection, to another host than `Home`."""
        if protocol == _IPV6:
            target = socket.inet_ntop(socket.AF_INET6, packet[24:40])
            if packet[6] in {_TCP, _UDP} and target != "::1":
                self.note(f"IPv6 {packet[6]}", target)
            return
        if protocol != _IPV4:
            return
        source, target = (socket.inet_ntoa(packet[at : at + 4]) for at in (12, 16))
        payload = packet[(packet[0] & 15) * 4 :]
        is_own = target.startswith("127.") and not target.startswith("127.9.")
        if is_own or DNS in {source, target}:
            return
        if packet[9] == _TCP and payload[13] & _SYN_AND_ACK == _SYN_ONLY:
            self.note(f"TCP {struct.unpack('!H', payload[2:4])[0]}", target)
        elif packet[9] == _UDP:
            port = struct.unpack("!H", payload[2:4])[0]
            self.note(f"UDP {port}", target)


@asynccontextmanager
async def open_sink() -> AsyncGenerator[Sink]:
    """Watch the network, and answer everything that is requested in it, during the block."""
    sink = Sink()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_watch, sink)
        nursery.start_soon(_serve_names, sink)
        for port in SINK_PORTS:
            [listener] = await trio.open_tcp_listeners(port, host="0.0.0.0")  # noqa: S104
            await nursery.start(trio.serve_listeners, _answer_anything, [listener])
        yield sink
        nursery.cancel_scope.cancel()


async def _watch(sink: Sink) -> None:
    raw = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_ALL_PACKETS))
    with trio.socket.from_stdlib_socket(raw) as packets:
        while True:
            packet, address = await packets.recvfrom(65_536)
            with suppress(IndexError, struct.error):
                sink.see(address[1], packet)


async def _serve_names(sink: Sink) -> None:
    """Answer DNS requests for IPv4 addresses of routes; other names do not exist."""
    with trio.socket.socket(type=trio.socket.SOCK_DGRAM) as server:
        await server.bind((DNS, 53))
        while True:
            request, client = await server.recvfrom(4096)
            name, end = _read_name(request)
            kind = struct.unpack("!H", request[end : end + 2])[0]
            found = re.fullmatch(r"r(\d+)\.sink\.test", name)
            if not name.endswith(".localhost"):
                sink.note("DNS", name)
            flags, answers = (0x8180, int(kind == 1)) if found else (0x8183, 0)
            reply = request[:2] + struct.pack("!HHHHH", flags, 1, answers, 0, 0)
            reply += request[12 : end + 4]
            if found and answers:
                address = socket.inet_aton(f"10.9.{found[1]}.1")
                reply += b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 60, 4) + address
            await server.sendto(reply, client)


def _read_name(request: bytes) -> tuple[str, int]:
    """Return the requested name and where it ends."""
    labels, at = list[str](), 12
    while length := request[at]:
        labels.append(request[at + 1 : at + 1 + length].decode("latin-1"))
        at += 1 + length
    return ".".join(labels).lower(), at + 1


async def _answer_anything(stream: trio.SocketStream) -> None:
    with suppress(trio.BrokenResourceError, trio.TooSlowError), trio.fail_after(2):
        await stream.receive_some(4096)
        await stream.send_all(_OK + b"Content-Length: 2\r\n\r\nok")
    await trio.aclose_forcefully(stream)


_OK = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nAccess-Control-Allow-Origin: *\r\n"
    b"Connection: close\r\n"
)


@attrs.frozen
class Home:
    """The two origins that the browser may reach; ``pages`` are responses by path."""

    pages: dict[str, bytes]

    async def serve(self, stream: trio.SocketStream) -> None:
        with suppress(trio.BrokenResourceError, trio.TooSlowError), trio.fail_after(10):
            head = b""
            while b"\r\n\r\n" not in head and (more := await stream.receive_some(65_536)):
                head += more
            path = head.decode("latin-1").split(" ")[1] if head else "/"
            if path.startswith("/to/"):
                location = path.removeprefix("/to/")
                answer = f"HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n"
                await stream.send_all(f"{answer}Connection: close\r\n\r\n".encode())
            else:
                await stream.send_all(self.pages.get(path, page("")))
        await trio.aclose_forcefully(stream)


def page(body: str, *headers: str, kind: str = "text/html") -> bytes:
    lines = ["HTTP/1.1 200 OK", f"Content-Type: {kind}", "Service-Worker-Allowed: /", *headers]
    lines += [f"Content-Length: {len(body.encode())}", "Connection: close", "", body]
    return "\r\n".join(lines).encode()


@asynccontextmanager
async def open_home(pages: dict[str, bytes]) -> AsyncGenerator[None]:
    """Serve the pages as ``localhost`` and ``other.localhost``."""
    async with trio.open_nursery() as nursery:
        serve = partial(trio.serve_tcp, Home(pages).serve, HOME_PORT, host="127.0.0.1")
        await nursery.start(serve)
        yield
        nursery.cancel_scope.cancel()
