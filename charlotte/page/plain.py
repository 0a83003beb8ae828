"""Texts of Charlotte's own lines that quote the page: on one line, addresses, sizes."""

import re
from urllib.parse import urlsplit

from charlotte.base.errors import ellipsize
from charlotte.page.tokens import UNSAFE_IN_URL, quote

LONGEST_URL = 2_000
_LONGEST_ADDRESS = 300
_LONGEST_DATA = 60
_KILO = 1000


def write_line(text: str) -> str:
    """Return a text on one line, without invisible characters."""
    line = " ".join(text.split())
    if line.isprintable():
        return line
    return "".join(one if one.isprintable() else quote(one)[1:-1] for one in line)


def plural(count: int, noun: str) -> str:
    """Return a noun with an ``s``, unless it is counted once."""
    return noun if count == 1 else f"{noun}s"


def write_place_behind(front: str | None) -> str:
    """Return where unreachable content is; ``front`` is the dialog that covers it, if one does."""
    return f"behind {write_line(front)}" if front else "inert or aria-hidden"


def write_url(url: str) -> str:
    """Return a URL without spaces, control and invisible characters, which are encoded."""
    return UNSAFE_IN_URL.sub(_percent_encode, url[:LONGEST_URL])


def _percent_encode(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace"))


def write_address(url: str, page_url: str = "", limit: int = _LONGEST_ADDRESS) -> str:
    """Return a URL as one word; without its origin if that is the origin of ``page_url``.

    Only the beginning of a ``data:`` URL is returned, which has the type of the data.
    """
    if url.startswith("data:"):
        limit = min(limit, _LONGEST_DATA)
    origin = _origin(page_url)
    if origin and _origin(url) == origin:
        url = url[len(origin) :] or "/"
    return ellipsize(write_url(url), limit)


def _origin(url: str) -> str:
    """Return the beginning of a URL up to its path, "" if it names no host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def write_size(size: float) -> str:
    """Return a number of bytes as ``512 B``, ``1.2 kB`` or ``3.4 MB``."""
    if size < _KILO:
        return f"{size:.0f} B"
    is_mega = size >= _KILO**2
    number = f"{size / _KILO ** (2 if is_mega else 1):.1f}".removesuffix(".0")
    return f"{number} {'MB' if is_mega else 'kB'}"
