"""One-time codes of a shared key and the time of day (TOTP, RFC 6238)."""

import base64
import binascii
import hmac
import re
from functools import lru_cache
from urllib.parse import parse_qs, urlsplit

import attrs

from charlotte.errors import InvalidArgument

SCHEME = "otpauth://"
_DIGITS = 6, 10
_PERIODS = 1, 3600
_ALGORITHMS = ("SHA1", "SHA256", "SHA512")
_SHORTEST_KEY = 10
"""Bytes; RFC 4226 requires 16, but many services use 10."""


@attrs.frozen
class OneTimeCodes:
    """The codes of a key; ``seed`` is the key in base32, as services show it."""

    seed: str = attrs.field(repr=False)
    digits: int = 6
    period: int = 30
    algorithm: str = "SHA1"

    def at(self, seconds: float) -> str:
        """Return the code of a time, in seconds since 1970."""
        return _code(self, int(seconds // self.period))

    def around(self, seconds: float) -> tuple[str, str, str]:
        """Return the previous, present and next code."""
        before, after = self.at(seconds - self.period), self.at(seconds + self.period)
        return before, self.at(seconds), after


@lru_cache(maxsize=100)  # redaction computes the codes of the moment for each text
def _code(codes: OneTimeCodes, counter: int) -> str:
    digest = hmac.digest(_key(codes.seed), counter.to_bytes(8), codes.algorithm.lower())
    offset = digest[-1] & 0xF
    number = int.from_bytes(digest[offset : offset + 4]) & 0x7FFF_FFFF
    return str(number % 10**codes.digits).zfill(codes.digits)


def read_otpauth(text: str) -> OneTimeCodes:
    """Parse ``otpauth://totp/LABEL?secret=BASE32``, as QR codes of services contain it.

    Raises `InvalidArgument` without quoting the text.
    """
    parts = urlsplit(text)
    given = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    if parts.netloc.lower() != "totp":
        raise InvalidArgument(
            "must be otpauth://totp/LABEL?secret=BASE32; other types, such as hotp, are not "
            "supported"
        )
    seed = re.sub(r"[\s-]", "", given.get("secret", "")).upper().rstrip("=")
    algorithm = given.get("algorithm", "SHA1").upper().replace("-", "")
    if algorithm not in _ALGORITHMS:
        raise InvalidArgument(f"has an unknown algorithm; use one of {', '.join(_ALGORITHMS)}")
    codes = OneTimeCodes(
        seed,
        digits=_number(given, "digits", 6, _DIGITS),
        period=_number(given, "period", 30, _PERIODS),
        algorithm=algorithm,
    )
    if len(_decoded(seed)) < _SHORTEST_KEY:
        raise InvalidArgument("needs a secret of at least 16 characters in base32")
    return codes


def _number(given: dict[str, str], name: str, default: int, limits: tuple[int, int]) -> int:
    low, high = limits
    text = given.get(name, str(default))
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        raise InvalidArgument(f"needs {name} between {low} and {high}")
    return int(text)


def _decoded(seed: str) -> bytes:
    try:
        return _key(seed)
    except binascii.Error:
        return b""


def _key(seed: str) -> bytes:
    return base64.b32decode(seed + "=" * (-len(seed) % 8))
