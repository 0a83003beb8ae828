"""CDP IO domain: streams."""

import attrs

from charlotte.protocol.wire import Command, Nothing


@attrs.frozen
class StreamPart:
    """A part of a stream; ``eof`` is set at its end."""

    data: str
    eof: bool
    base64_encoded: bool = False


class ReadStream(Command[StreamPart], method="IO.read"):
    """Read at most ``size`` bytes of a stream."""

    handle: str
    size: int


class CloseStream(Command[Nothing], method="IO.close"):
    """Discard a stream."""

    handle: str
