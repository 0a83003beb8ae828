"""The callback for an answer that was written."""

from functools import partial

import pytest
from starlette.types import Message as ASGIMessage

from charlotte.server.http.sessions import Delivery


async def test_notifications_and_failures_to_write_deliver_nothing() -> None:
    delivery, delivered, written = Delivery(), list[str](), list[bytes]()

    async def write(message: ASGIMessage) -> None:
        if b"broken" in message["body"]:
            raise OSError("disconnected")
        written.append(message["body"])

    send = delivery.wrap_send(write)
    delivery.delivered = partial(delivered.append, "answer 7")
    await send({"type": "http.response.body", "body": b'{"params":{"message":"\\"result\\":"}}'})
    with pytest.raises(OSError, match="disconnected"):
        await send({"type": "http.response.body", "body": b'{"result":{"text":"broken"}}'})
    assert delivered == []
    for _ in range(2):
        await send({"type": "http.response.body", "body": b'{"result":{}}'})

    assert delivered == ["answer 7"]
