"""Certificates that tests make: an authority's, a server's, somebody's."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import attrs
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    pkcs12,
)

_DAY = timedelta(days=1)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])


@attrs.frozen
class Authority:
    """Who signs certificates, in a directory of its own; its own is ``authority.pem``."""

    place: Path
    _key: ec.EllipticCurvePrivateKey = attrs.field(
        factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    def __attrs_post_init__(self) -> None:
        own = self._signed("Authority", self._key.public_key(), is_authority=True)
        self.file.write_bytes(own.public_bytes(Encoding.PEM))

    @property
    def file(self) -> Path:
        return self.place / "authority.pem"

    def issue(self, name: str, password: bytes | None = None) -> Path:
        """A file with a certificate for a name or a host, and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        hiding: KeySerializationEncryption = NoEncryption()
        if password:
            hiding = BestAvailableEncryption(password)
        file = self.place / f"{name}.pem"
        file.write_bytes(
            key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, hiding)
            + self._signed(name, key.public_key()).public_bytes(Encoding.PEM)
        )
        return file

    def archive(self, name: str, password: bytes) -> Path:
        """The same as one file of PKCS #12."""
        key = ec.generate_private_key(ec.SECP256R1())
        file = self.place / f"{name}.p12"
        own = self._signed(name, key.public_key())
        file.write_bytes(
            pkcs12.serialize_key_and_certificates(
                name.encode(), key, own, None, BestAvailableEncryption(password)
            )
        )
        return file

    def _signed(
        self, name: str, key: ec.EllipticCurvePublicKey, *, is_authority: bool = False
    ) -> x509.Certificate:
        now = datetime.now(UTC)
        issuer = _named("Authority")
        made = x509.CertificateBuilder(issuer, _named(name), key, x509.random_serial_number())
        made = made.not_valid_before(now - _DAY).not_valid_after(now + _DAY)
        basics = x509.BasicConstraints(ca=is_authority, path_length=None)
        names = x509.SubjectAlternativeName([x509.DNSName(name)])
        made = made.add_extension(basics, critical=True).add_extension(names, critical=False)
        return made.sign(self._key, SHA256())
