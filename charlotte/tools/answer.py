"""Answers to tool calls, independent of MCP, and the envelope of some of them (S-RESP)."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from importlib.metadata import version
from typing import Any, Generic, Literal, Self

import attrs
import trio
from typing_extensions import TypeVar

from charlotte.actors.state.news import News
from charlotte.errors import CharlotteError
from charlotte.log import now
from charlotte.redaction import Secrets

R_co = TypeVar("R_co", covariant=True, default=Any)

Changed = Literal["tools", "resources"]
"""A list of a session that its client may cache: its tools, or its saved files."""


@attrs.frozen
class Text:
    """One text block."""

    text: str


@attrs.frozen
class Image:
    """One image block; ``data`` is base64, ``mime_type`` as ``image/png``."""

    data: str
    mime_type: str


@attrs.frozen
class Link:
    """A file that the client can read; ``uri`` is ``file://…``."""

    uri: str
    name: str
    mime_type: str


Content = Text | Image | Link


@attrs.frozen
class Answer(Generic[R_co]):
    """Content blocks in order, and metadata that costs the agent no tokens (``_meta``).

    ``value`` is the complete result for programs, as an object.
    ``delivered`` is called once the caller has the answer; its news are then not reported again.
    ``news`` are the reported events, which `batch` leaves out of its later steps.
    """

    blocks: tuple[Content, ...]
    metadata: dict[str, Any] = attrs.field(factory=dict[str, Any])
    is_error: bool = False
    delivered: Callable[[], None] = lambda: None
    news: News | None = attrs.field(default=None, kw_only=True)
    value: R_co = attrs.field(default=None, kw_only=True)

    def hiding(self, hidden: Secrets) -> Self:
        """Return the answer with secrets hidden in its texts, links and metadata."""

        def redacted(block: Content) -> Content:
            match block:
                case Text(text):
                    return Text(hidden.hidden(text))
                case Link(uri, name, mime_type):
                    return Link(hidden.hidden(uri), hidden.hidden(name), mime_type)
                case _:
                    return block

        blocks = tuple(map(redacted, self.blocks))
        return attrs.evolve(self, blocks=blocks, metadata=hidden.hidden_in(self.metadata))


_ACTIONS = {"screenshot": "screenshot", "click_at": "click", "type": "type", "scroll": "scroll"}
_ONLY_AT_POINTS = {"type", "scroll"}


def metadata_of(tab_id: str | None, begun: float) -> dict[str, Any]:
    """Return the duration and other metadata of a call that began at a time (S-META-01…04)."""
    return {
        "duration_ms": round((trio.current_time() - begun) * 1000, 1),
        "tab_id": tab_id,
        "timestamp": now(),
        "tool_version": _version(),
    }


_version = cache(partial(version, "charlotte"))


@contextmanager
def failing_in_envelope(
    tool: str, arguments: Mapping[str, Any], tab_id: str | None
) -> Generator[None]:
    """Add the envelope to an error, if the call is one that has an envelope."""
    begun = trio.current_time()
    try:
        yield
    except CharlotteError as error:
        if not error.envelope and (action := _action(tool, arguments)):
            metadata = metadata_of(tab_id, begun)
            error.envelope = {"success": False, "action": action, "metadata": metadata}
        raise


def _action(tool: str, arguments: Mapping[str, Any]) -> str | None:
    if tool == "page_screenshot":
        return str(arguments.get("action"))
    at_point = any(arguments.get(name) is not None for name in ("x", "y", "coordinates"))
    return _ACTIONS.get(tool) if at_point or tool not in _ONLY_AT_POINTS else None
