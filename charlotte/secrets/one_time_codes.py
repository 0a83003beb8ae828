"""One-time codes of a shared key and the time of day (TOTP, RFC 6238)."""

import hashlib
import re
from functools import lru_cache
from urllib.parse import parse_qs, urlsplit

import attrs
from pyotp.totp import TOTP

from charlotte.base.errors import InvalidArgument

SCHEME = "otpauth://"
_DIGITS = 6, 10
_PERIODS = 1, 120
_ALGORITHMS = {"SHA1": hashlib.sha1, "SHA256": hashlib.sha256, "SHA512": hashlib.sha512}


class _Totp(TOTP):
    min_secret_length_bits = 80  # RFC 4226 requires 128, but many services use 80


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
    digest = _ALGORITHMS[codes.algorithm]
    totp = _Totp(codes.seed, digits=codes.digits, digest=digest, interval=codes.period)
    return totp.generate_otp(counter)


def read_otpauth(text: str) -> OneTimeCodes:
    """Parse ``otpauth://totp/LABEL?secret=BASE32``, as QR codes of services contain it.

    It accepts more than `pyotp.parse_uri`: keys with spaces or of 80 bits, and 9 or 10 digits.
    Raises `InvalidArgument` without quoting the text.
    """
    parts = urlsplit(text)
    given = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    if parts.netloc.lower() != "totp":
        raise InvalidArgument(
            "must be otpauth://totp/LABEL?secret=BASE32; other types, such as hotp, are not "
            "supported"
        )
    algorithm = given.get("algorithm", "SHA1").upper().replace("-", "")
    if algorithm not in _ALGORITHMS:
        raise InvalidArgument(f"has an unknown algorithm; use one of {', '.join(_ALGORITHMS)}")
    codes = OneTimeCodes(
        re.sub(r"[\s-]", "", given.get("secret", "")).upper().rstrip("="),
        digits=_number(given, "digits", 6, _DIGITS),
        period=_number(given, "period", 30, _PERIODS),
        algorithm=algorithm,
    )
    try:
        codes.at(0)
    except ValueError:  # chaining it would log the key
        raise InvalidArgument("needs a secret of at least 16 characters in base32") from None
    return codes


def _number(given: dict[str, str], name: str, default: int, limits: tuple[int, int]) -> int:
    low, high = limits
    text = given.get(name, str(default))
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        raise InvalidArgument(f"needs {name} between {low} and {high}")
    return int(text)
