"""Format and size of an image, parsed from its first bytes."""

import base64
import struct

from tests.whole.client import Message, Reply


def image_of(reply: Reply) -> tuple[str, bytes]:
    """Return the mime type and the bytes of the only image of an answer."""
    [block] = [block for block in blocks(reply) if block["type"] == "image"]
    return block["mimeType"], base64.b64decode(block["data"], validate=True)


def blocks(reply: Reply) -> list[Message]:
    found: list[Message] = reply.result["content"]
    return found


def size_of(data: bytes) -> tuple[str, int, int]:
    """Return format, width and height."""
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
