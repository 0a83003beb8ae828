"""The one place that reads the browser's error strings.

ProtocolError         the browser refused a command
├── ContextGone       the document (or its isolated world) was replaced
├── NodeGone          the node or object no longer exists
├── SessionGone       this CDP session was detached
├── Terminated        the script was ended, which may have been meant for the one before it
└── TargetGone        no such target, or it cannot be attached to any more
"""

from charlotte.errors import Fatal, SessionProblem


class ProtocolError(SessionProblem):
    """The browser refused a command; where nobody expects it, the caller is told just that."""

    def __init__(self, method: str, code: int, message: str) -> None:
        super().__init__(
            f"The browser refused {method}: {message}",
            "Observe the page: it may have moved on; then decide whether to repeat the call.",
        )
        self.method = method
        self.refusal_code = code
        self.refusal = message


class ContextGone(ProtocolError):
    """The document was replaced between the look-up of its context and the call."""


class NodeGone(ProtocolError):
    """The node or remote object no longer exists."""


class SessionGone(ProtocolError, Fatal):
    """The CDP session was detached with its page: the incarnation that stood on it ends.

    Whether the page was closed or the browser is ending is not known yet, so this is no answer.
    """

    is_answer = False
    code = "TAB_NOT_FOUND"
    CODE = -32001
    MESSAGE = "Session with given id not found."

    def __init__(self, method: str, code: int, message: str) -> None:
        super().__init__(method, code, message)
        self.message = "The tab was closed while this ran."
        self.suggestion = "Call tabs for the tabs that are open."


class Terminated(ProtocolError):
    """The script was ended by ``Runtime.terminateExecution``, whichever it was meant for."""


class TargetGone(ProtocolError):
    """The target was closed, or never existed."""


_BY_MESSAGE: tuple[tuple[str, type[ProtocolError]], ...] = (
    ("cannot find context with specified id", ContextGone),
    ("uniquecontextid not found", ContextGone),
    ("execution context was destroyed", ContextGone),
    ("inspected target navigated or closed", ContextGone),
    ("cannot find default execution context", ContextGone),
    ("no frame for given id found", ContextGone),
    ("frame with the given id was not found", ContextGone),
    ("could not find node with given id", NodeGone),
    ("no node with given id found", NodeGone),
    ("no node found for given backend id", NodeGone),
    ("could not find object with given id", NodeGone),
    ("node is detached from document", NodeGone),
    ("execution was terminated", Terminated),
    ("session with given id not found", SessionGone),
    ("session was detached", SessionGone),
    ("no target with given id", TargetGone),
    ("target closed", TargetGone),
    ("not attached to an active page", TargetGone),
    ("failed to find browser context", TargetGone),
    ("failed to find context with id", TargetGone),
)


def protocol_error(method: str, code: int, message: str) -> ProtocolError:
    """Make the most telling exception of a browser's refusal."""
    text = message.lower()
    kind = next((kind for part, kind in _BY_MESSAGE if part in text), ProtocolError)
    return kind(method, code, message)
