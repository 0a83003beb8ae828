"""Addresses that settings give: what they have to be."""

import re
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

_ENDPOINT_SCHEMES = {"ws", "wss", "http", "https"}


def is_endpoint(value: str) -> bool:
    """Whether a browser could be at that address."""
    if not value.isascii() or re.search(r"\s", value):
        return False
    try:
        parts = urlsplit(value)
        return parts.scheme in _ENDPOINT_SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, a bracket that stays open
        return False


def is_safe_url(text: str) -> bool:
    """Whether it is an address on which nobody can listen in."""
    with suppress(ValueError):
        parts = urlsplit(text)
        host = parts.hostname or ""
        return bool(host) and (parts.scheme == "https" or is_loopback(host))
    return False


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches that host."""
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"
