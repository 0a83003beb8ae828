"""The answer to a tool call, independent of MCP; the server converts it to content."""

from collections.abc import Callable
from typing import Any, Generic, Literal, Self

import attrs
from typing_extensions import TypeVar

from charlotte.actors.state.news import News
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
