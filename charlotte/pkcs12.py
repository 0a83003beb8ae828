"""Certificates with their keys in PKCS #12 files, as browsers export them."""

import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)
from cryptography.hazmat.primitives.serialization.pkcs12 import load_pkcs12


@contextmanager
def unpacked(archive: str, password: str | None) -> Generator[str]:
    """Yield the path of a temporary PEM file with the same content and password.

    Raises `OSError` if the file cannot be read, `ValueError` if it contains no certificate with its
    key or has another password.
    """
    secret = password.encode() if password else None
    held = load_pkcs12(Path(archive).read_bytes(), secret)
    if held.key is None or held.cert is None:
        raise ValueError("the archive lacks a certificate or its key")
    hiding: KeySerializationEncryption = NoEncryption()
    if secret:
        hiding = BestAvailableEncryption(secret)
    key = held.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, hiding)
    chain = [held.cert, *held.additional_certs]
    with tempfile.TemporaryDirectory() as place:  # accessible to this user only
        pem = Path(place, "unpacked.pem")
        pem.write_bytes(key + b"".join(one.certificate.public_bytes(Encoding.PEM) for one in chain))
        yield str(pem)
