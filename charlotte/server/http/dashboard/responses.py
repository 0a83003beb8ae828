"""Responses with data, which browsers must not store."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, cast

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Send

PRIVATE: Mapping[str, str] = {"x-content-type-options": "nosniff", "cache-control": "no-store"}


def refuse(status: int, reason: str) -> Response:
    """Return an error for the page."""
    return JSONResponse({"error": reason}, status, PRIVATE)


DONE = Response(status_code=204, headers=PRIVATE)


async def read_json(request: Request) -> dict[str, Any]:
    """Return the JSON object of a body, empty for any other body.

    Pages of other sites can send neither the token nor JSON, and the host guard checks Origin.
    """
    if request.headers.get("content-type") != "application/json":
        return {}
    try:
        body: Any = await request.json()
    except (ValueError, ClientDisconnect):
        return {}
    return cast("dict[str, Any]", body) if isinstance(body, dict) else {}


class EventResponse(StreamingResponse):
    """Server-sent events, whose generator is closed also if the client leaves during a frame."""

    def __init__(self, frames: AsyncGenerator[str]) -> None:
        super().__init__(frames, media_type="text/event-stream", headers=PRIVATE)
        self._frames = frames

    async def stream_response(self, send: Send) -> None:
        """Send the frames."""
        async with aclosing(self._frames):
            await super().stream_response(send)
