"""Format, size and pixels of an image."""

import base64
import struct
import zlib
from collections.abc import Iterator
from functools import lru_cache

from tests.whole.client import Message, Reply


def image_of(reply: Reply) -> tuple[str, bytes]:
    [block] = [block for block in blocks(reply) if block["type"] == "image"]
    return block["mimeType"], base64.b64decode(block["data"], validate=True)


def blocks(reply: Reply) -> list[Message]:
    found: list[Message] = reply.result["content"]
    return found


def size_of(data: bytes) -> tuple[str, int, int]:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png", *struct.unpack(">II", data[16:24])
    if data.startswith(b"\xff\xd8\xff"):
        return "jpeg", *_jpeg_size(data)
    assert data[:4] + data[8:12] == b"RIFFWEBP"
    return "webp", *_webp_size(data)


def _jpeg_size(data: bytes) -> tuple[int, int]:
    position = 2
    while True:
        marker, length = struct.unpack(">xBH", data[position : position + 4])
        if 0xC0 <= marker <= 0xC2:  # the start of a frame
            height, width = struct.unpack(">HH", data[position + 5 : position + 9])
            return width, height
        position += 2 + length


def _webp_size(data: bytes) -> tuple[int, int]:
    if data[12:16] == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    if data[12:16] == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
    return width, height


def pixels_of(data: bytes) -> list[list[tuple[int, ...]]]:
    """Return the rows of a PNG image, each a list of (red, green, blue)."""
    channels = {2: 3, 6: 4}[data[25]]
    width = struct.unpack(">I", data[16:20])[0]
    raw = zlib.decompress(b"".join(body for kind, body in _png_chunks(data) if kind == b"IDAT"))
    length = width * channels
    before = bytes(length)
    rows: list[list[tuple[int, ...]]] = []
    for start in range(0, len(raw), length + 1):
        before = _unfiltered(raw[start], raw[start + 1 : start + 1 + length], before, channels)
        rows.append(_pixels(before, channels))
    return rows


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    position = 8
    while position < len(data):
        length = struct.unpack(">I", data[position : position + 4])[0]
        yield data[position + 4 : position + 8], data[position + 8 : position + 8 + length]
        position += length + 12


@lru_cache(maxsize=4096)  # most rows of a page are like others
def _pixels(row: bytes, channels: int) -> list[tuple[int, ...]]:
    return [tuple(row[at : at + 3]) for at in range(0, len(row), channels)]


@lru_cache(maxsize=4096)
def _unfiltered(kind: int, line: bytes, above: bytes, channels: int) -> bytes:
    result = bytearray(line)
    for at, value in enumerate(line):
        left = result[at - channels] if at >= channels else 0
        corner = above[at - channels] if at >= channels else 0
        up = above[at]
        nearest = min((left, up, corner), key=lambda one: abs(left + up - corner - one))
        predicted = (0, left, up, (left + up) // 2, nearest)[kind]
        result[at] = (value + predicted) & 0xFF
    return bytes(result)
