"""Exceptions for refused commands, chosen by the error strings of the browser."""

from charlotte.base.errors import Fatal, SessionProblem


class ProtocolError(SessionProblem):
    """The browser refused a command."""

    def __init__(self, method: str, code: int, message: str) -> None:
        super().__init__(
            f"The browser refused {method}: {message}",
            "Observe the page, which may have changed; then decide whether to repeat the call.",
        )
        self.method = method
        self.refusal_code = code
        self.refusal = message


class Refused(ProtocolError):
    """A refusal after which the session can still be used."""


class ContextGone(Refused):
    """The document, or its isolated world, was replaced before the call."""


class NodeGone(Refused):
    """The node or remote object no longer exists."""


class SessionGone(ProtocolError, Fatal):
    """The CDP session was detached, so the incarnation of the tab that used it ends.

    This is not reported to the agent: it is unknown yet if the page or the browser ended.
    """

    is_answer = False
    code = "TAB_NOT_FOUND"
    CODE = -32001
    MESSAGE = "Session with given id not found."

    def __init__(self, method: str, code: int, message: str) -> None:
        super().__init__(method, code, message)
        self.message = "The tab was closed while this ran."
        self.suggestion = "Call tabs for the tabs that are open."


class Terminated(Refused):
    """The script, or an earlier script, was ended by ``Runtime.terminateExecution``."""


class TargetGone(Refused):
    """The target was closed, cannot be attached to any more, or never existed."""


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
    """Build the most specific exception for a refusal by the browser."""
    text = message.lower()
    kind = next((kind for part, kind in _BY_MESSAGE if part in text), Refused)
    return kind(method, code, message)
