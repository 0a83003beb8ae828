"""Relays that present client certificates, because CDP cannot give them to a browser.

Each origin with a client certificate has a relay on this machine, to which the browser's resolver
leads. A relay ends the browser's TLS with a certificate made for this run, whose key the browser
accepts, and opens TLS to the server, whose certificate is verified as usual. Both sides use
HTTP/1.1 and WebSocket.
"""

import base64
import ssl
import tempfile
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import attrs
import structlog
import trio
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from charlotte.base.blocks import closing
from charlotte.base.log import now_ms
from charlotte.guard.socks_proxy import Forbidden, carry_both, connect
from charlotte.guard.url_guard import Guard
from charlotte.secrets.certificates import ClientCertificate

_GREETED_WITHIN = 30.0
_CHUNK = 2**16
_LIFE = timedelta(days=365)

log = structlog.get_logger(__name__)


@attrs.frozen
class Relay:
    """A relay to one origin: a TLS server for the browser, a TLS client for the origin."""

    certificate: ClientCertificate
    guard: Guard
    inwards: ssl.SSLContext
    outwards: ssl.SSLContext

    async def serve(self, browser: trio.SocketStream) -> None:
        """Forward data between the browser and the origin."""
        inner = trio.SSLStream(browser, self.inwards, server_side=True, https_compatible=True)
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError, trio.TooSlowError):
            with trio.fail_after(_GREETED_WITHIN):
                await inner.do_handshake()
            try:
                outer = await self._connect()
            except (OSError, Forbidden, trio.BrokenResourceError, trio.TooSlowError) as error:
                reason = error.__cause__ or error
                log.warning("server of a client certificate not reachable", error=str(reason))
                await inner.receive_some(_CHUNK)  # closing with unread data could lose the answer
                origin = self.certificate.origin
                text = f"{origin} cannot be reached with a client certificate: {reason}\n"
                head = (
                    "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/plain\r\n"
                    f"Content-Length: {len(text.encode())}\r\nConnection: close\r\n\r\n"
                )
                await inner.send_all((head + text).encode())
                await inner.aclose()
            else:
                async with closing(outer):
                    await carry_both(inner, outer)

    async def _connect(self) -> trio.SSLStream[trio.SocketStream]:
        host = self.certificate.host
        stream = await connect(self.guard, host, self.certificate.port)
        outer = trio.SSLStream(stream, self.outwards, server_hostname=host, https_compatible=True)
        try:
            with trio.fail_after(_GREETED_WITHIN):
                await outer.do_handshake()
        except BaseException:
            async with closing(stream):  # noqa: ASYNC102 - shielded there
                raise
        return outer


@asynccontextmanager
async def open_relays(
    certificates: Sequence[ClientCertificate], guard: Guard, *, verify: bool
) -> AsyncGenerator[tuple[str, ...]]:
    """Run the relays during the block; yield switches that lead the browser to them."""
    contexts, fingerprint = _build_contexts([certificate.host for certificate in certificates])
    rules: list[str] = []
    async with trio.open_nursery() as nursery:
        for certificate, inwards in zip(certificates, contexts, strict=True):
            relay = Relay(certificate, guard, inwards, certificate.context(verify=verify))
            [listener] = await trio.open_tcp_listeners(0, host="127.0.0.1")
            await nursery.start(trio.serve_listeners, relay.serve, [listener])
            port = listener.socket.getsockname()[1]
            rules.append(f"MAP {certificate.host}:{certificate.port} 127.0.0.1:{port}")
        yield (
            f"--host-resolver-rules={','.join(rules)}",
            f"--ignore-certificate-errors-spki-list={fingerprint}",
        )
        nursery.cancel_scope.cancel("closed")


def _build_contexts(hosts: Iterable[str]) -> tuple[list[ssl.SSLContext], str]:
    """Build the certificates with which relays identify themselves, and their fingerprints."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Charlotte")])
    today = datetime.fromtimestamp(now_ms() / 1000, UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(today - _LIFE).not_valid_after(today + _LIFE)
    certificate = builder.sign(key, SHA256()).public_bytes(Encoding.PEM)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    with tempfile.TemporaryDirectory() as place:
        file = Path(place, "relay.pem")
        file.write_bytes(private + certificate)
        contexts = [_build_context(host, file) for host in hosts]
    return contexts, base64.b64encode(sha256(public).digest()).decode()


def _build_context(host: str, file: Path) -> ssl.SSLContext:
    """Build the TLS context of a host; pages cannot reach the relay under another name."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    context.set_alpn_protocols(["http/1.1"])

    unknown = ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME
    context.sni_callback = lambda _socket, name, _context: None if name == host else unknown
    return context
