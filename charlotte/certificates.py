"""Certificates with which the browser says at an origin who it is: TLS client certificates."""

import ssl
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import NoReturn
from urllib.parse import urlsplit

import attrs

from charlotte.errors import InvalidArgument
from charlotte.urls import origin_of

_HTTPS = 443
_ARCHIVES = (".p12", ".pfx")


@attrs.frozen
class ClientCertificate:
    """What is shown at an origin of https: PEM files, of which one may hold both, or PKCS #12.

    ``password`` is of the key, or of the whole archive.
    """

    origin: str
    certificate: str
    key: str | None = None
    password: str | None = attrs.field(default=None, repr=False)

    @property
    def host(self) -> str:
        """Whose origin it is."""
        return urlsplit(self.origin).hostname or ""

    @property
    def port(self) -> int:
        """Where that host is asked."""
        return urlsplit(self.origin).port or _HTTPS

    def context(self, *, verify: bool = True) -> ssl.SSLContext:
        """How to ask the origin's server, whose own certificate is checked where ``verify``.

        Raises `InvalidArgument` where the files hold no certificate with its key.
        """
        context = ssl.create_default_context()
        context.set_alpn_protocols(["http/1.1"])
        # Python 3.13 sets this by default; browsers do not reject a certificate that has no
        # Authority Key Identifier.
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
        if not verify:
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        try:
            with self._as_pem() as pem:
                context.load_cert_chain(pem, self.key, self.password or _no_password)
        except (OSError, ValueError) as error:
            raise InvalidArgument(
                f"client_certificate for {self.origin} cannot be used: {error}. It takes PEM files "
                "or one of PKCS #12; their password is said by client_certificate_password."
            ) from error
        return context

    @contextmanager
    def _as_pem(self) -> Generator[str]:
        """The file as OpenSSL reads it; raises `OSError` or `ValueError`."""
        if not self.certificate.lower().endswith(_ARCHIVES):
            yield self.certificate
            return
        archives = import_module("charlotte.archives")  # few need what it imports
        with archives.unpacked(self.certificate, self.password) as pem:
            yield pem


def read_certificate(text: str, password: str | None = None) -> ClientCertificate:
    """Read ``https://host=certificate.pem:key.pem``; raises `InvalidArgument`."""
    given, _, files = text.partition("=")
    certificate, _, key = files.partition(":")
    origin = origin_of(given)
    found = ClientCertificate(origin or "", certificate, key or None, password)
    # an origin without a letter is a number, which browsers do not name to servers
    is_named = any(letter.isalpha() for letter in found.host) and ":" not in found.host
    if origin != given.lower() or not given.startswith("https:") or not is_named or not files:
        raise InvalidArgument(
            "client_certificate is as https://host=certificate.pem:key.pem or https://host=me.p12, "
            f"with a host that has a name, not {text!r}."
        )
    return found


def _no_password() -> NoReturn:
    """Without this, who is asked for one is the terminal."""
    raise ValueError("the key has a password")
