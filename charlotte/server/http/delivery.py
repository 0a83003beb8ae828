"""The moment at which a client has the answer to its request."""

from collections.abc import Callable
from typing import Final

import attrs
from starlette.types import Message, Send

DELIVERY: Final = "charlotte.delivery"
"""Key of the `Delivery` in the scope of a request."""

_RESULT = b'"result":'
"""Present in answers but not in notifications; inside a string, the quotes are escaped."""


@attrs.define(eq=False)
class Delivery:
    """A callback for the write of an answer; called once."""

    delivered: Callable[[], None] | None = None

    def wrap_send(self, send: Send) -> Send:
        """Return a ``send`` that calls ``delivered`` when it has sent the answer.

        It sends the end of the body separately: after the end, the SDK treats the client as
        disconnected and cancels the task that sends.
        """

        async def send_and_complete(message: Message) -> None:
            if self.delivered is None or _RESULT not in message.get("body", b""):
                await send(message)
                return
            await send({**message, "more_body": True})
            delivered, self.delivered = self.delivered, None
            delivered()
            if not message.get("more_body", False):
                await send({**message, "body": b""})

        return send_and_complete
