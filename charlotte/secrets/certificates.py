"""TLS client certificates."""

import ssl
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

import attrs

from charlotte.base.errors import InvalidArgument
from charlotte.base.urls import origin_of

_HTTPS = 443
_ARCHIVES = (".p12", ".pfx")


@attrs.frozen
class ClientCertificate:
    """The certificate and key for an https origin: one or two PEM files, or a PKCS #12 file.

    ``password`` is that of the key or of the PKCS #12 file.
    """

    origin: str
    certificate: str
    key: str | None = None
    password: str | None = attrs.field(default=None, repr=False)

    @property
    def host(self) -> str:
        """Host of the origin."""
        return urlsplit(self.origin).hostname or ""

    @property
    def port(self) -> int:
        """Port of the origin."""
        return urlsplit(self.origin).port or _HTTPS

    def context(self, *, verify: bool = True) -> ssl.SSLContext:
        """Build the TLS context for the origin; ``verify`` checks the certificate of its server.

        Raises `InvalidArgument` if the files contain no certificate with its key.
        """
        context = ssl.create_default_context()
        context.set_alpn_protocols(["http/1.1"])
        # Python 3.13 sets this by default; browsers do not reject a certificate that has no
        # Authority Key Identifier.
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
        if not verify:
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        try:
            with _as_pem(self.certificate, self.password) as pem:
                context.load_cert_chain(pem, self.key, self.password or _no_password)
        except (OSError, ValueError) as error:
            raise InvalidArgument(
                f"client_certificate for {self.origin} cannot be read: {error}. Pass PEM files or "
                "a PKCS #12 file, and set their password with client_certificate_password."
            ) from error
        return context


def read_certificate(text: str, password: str | None = None) -> ClientCertificate:
    """Read ``https://host=certificate.pem:key.pem``; raises `InvalidArgument`."""
    given, _, files = text.partition("=")
    certificate, _, key = files.partition(":")
    origin = origin_of(given)
    found = ClientCertificate(origin or "", certificate, key or None, password)
    # browsers send no server name for IP addresses
    is_named = any(letter.isalpha() for letter in found.host) and ":" not in found.host
    if origin != given.lower() or not given.startswith("https:") or not is_named or not files:
        raise InvalidArgument(
            "client_certificate must be https://host=certificate.pem:key.pem or "
            f"https://host=file.p12, with a host name instead of an IP address, got {text!r}."
        )
    return found


def _no_password() -> NoReturn:
    """Fail instead of letting OpenSSL ask on the terminal."""
    raise ValueError("the key has a password")


@contextmanager
def _as_pem(certificate: str, password: str | None) -> Generator[str]:
    """Yield the path of a PEM file, for PKCS #12 a temporary one with the same password.

    Raises `OSError` if the file cannot be read, `ValueError` if it contains no certificate with its
    key or has another password.
    """
    if not certificate.lower().endswith(_ARCHIVES):
        yield certificate
        return
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - few users need it
    from cryptography.hazmat.primitives.serialization import pkcs12  # noqa: PLC0415

    secret = password.encode() if password else None
    held = pkcs12.load_pkcs12(Path(certificate).read_bytes(), secret)
    if held.key is None or held.cert is None:
        raise ValueError("the archive lacks a certificate or its key")
    hiding: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if secret:
        hiding = serialization.BestAvailableEncryption(secret)
    pem = serialization.Encoding.PEM
    key = held.key.private_bytes(pem, serialization.PrivateFormat.PKCS8, hiding)
    chain = [one.certificate.public_bytes(pem) for one in (held.cert, *held.additional_certs)]
    with tempfile.TemporaryDirectory() as place:  # accessible to this user only
        file = Path(place, "unpacked.pem")
        file.write_bytes(key + b"".join(chain))
        yield str(file)
