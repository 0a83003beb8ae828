"""Every error of Charlotte, written for the agent that must go on.

CharlotteError                an answer: the caller gets it, the actor that raised it lives
├── InvalidArgument           the call is malformed; nothing was touched
├── InvalidCoordinates        the point is outside the viewport
├── ElementNotFound           nothing on the page answers to that reference
├── ElementNotInteractive     it is there, but cannot be acted on
├── ElementChanged            it is there, but is no longer what the agent was shown
│   └── DocumentChanged       the page shows another document than the agent was shown
├── NavigationFailed          the browser could not load it
├── NavigationBlocked         we refuse to load it
├── DeadlineExceeded          the time given ran out (``TIMEOUT``)
├── EvaluationFailed          the agent's own JavaScript raised
│   └── NotCompiled           it is no program
├── SessionProblem            the session cannot do that now, or a bug of ours (``SESSION_ERROR``)
├── SnapshotExpired           the snapshot left its ring buffer
├── TabNotFound               no such tab in this session
├── TabHung                   the page's script does not let anything else run
├── ScreenshotFailed          the browser gave no image
├── StorageFailed             a file could not be written (``FILE_STORAGE_ERROR``)
├── BrowserSilent             the browser does not answer (``CDP_CONNECTION_LOST``)
└── Fatal                     an answer too, but the actor's incarnation ends with it
    ├── TabCrashed            the renderer died
    └── ConnectionLost        the browser died (``CDP_CONNECTION_LOST``)
"""

from collections.abc import Callable
from typing import Any, ClassVar, Self

LONGEST = 2_000
"""Characters of a message: what it quotes can be of any size."""


class CharlotteError(Exception):
    """What went wrong (``message``), with which object, and what to do next (``suggestion``)."""

    code: ClassVar[str] = "SESSION_ERROR"
    default_suggestion: ClassVar[str | None] = None

    def __init__(
        self, message: str, suggestion: str | None = None, details: dict[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion or self.default_suggestion
        self.details = details
        self.envelope: dict[str, Any] = {}

    def again(self) -> Self:
        """Return a new error with the same content, for one more caller.

        An instance that several callers get collects the envelope and the traceback of each.
        """
        error = type(self).__new__(type(self), *self.args)
        error.__dict__.update(self.__dict__)
        error.__cause__ = self.__cause__
        return error

    def hide(self, hidden: Callable[[Any], Any]) -> None:
        """Have all that is told pass through ``hidden``, which takes JSON."""
        self.message, self.suggestion = hidden(self.message), hidden(self.suggestion)
        self.details, self.envelope = hidden(self.details), hidden(self.envelope)
        self.args = (self.message,)

    def as_json(self) -> dict[str, Any]:
        """Shape of C-ERR-02: ``{"error": {code, message, suggestion?, details?}}``.

        Beside it is the ``envelope`` of those tools that answer in one.
        """
        error: dict[str, Any] = {"code": self.code, "message": _clipped(self.message)}
        if self.suggestion:
            error["suggestion"] = _clipped(self.suggestion)
        if self.details:
            error["details"] = self.details
        return {**self.envelope, "error": error}


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


class InvalidArgument(CharlotteError):
    """The arguments are wrong; every problem is named at once."""

    code = "INVALID_ARGUMENT"


class InvalidCoordinates(CharlotteError):
    """The point is outside the viewport; ``details`` has the valid range."""

    code = "INVALID_COORDINATES"


class ElementNotFound(CharlotteError):
    """No element of this tab answers to the reference (it never did, or it is gone)."""

    code = "ELEMENT_NOT_FOUND"
    default_suggestion = "Take a new snapshot to see current page state. Call observe or find."


class ElementNotInteractive(CharlotteError):
    """The element exists, but is hidden, disabled, covered, or of the wrong kind."""

    code = "ELEMENT_NOT_INTERACTIVE"


class ElementChanged(CharlotteError):
    """The element exists, but it is not what the agent was shown: name, record, destination."""

    code = "ELEMENT_CHANGED"
    default_suggestion = "Take a new snapshot to get current element state. Call observe or find."


class DocumentChanged(ElementChanged):
    """The page shows another document than the one the agent was shown."""


class NavigationFailed(CharlotteError):
    """The browser gave up on loading the page; the message carries its error text."""

    code = "NAVIGATION_FAILED"


class NavigationBlocked(CharlotteError):
    """Charlotte does not load such an address."""

    code = "NAVIGATION_BLOCKED"


class DeadlineExceeded(CharlotteError):
    """The call's time ran out; the tab is free again."""

    code = "TIMEOUT"


class EvaluationFailed(CharlotteError):
    """JavaScript handed in by the agent raised or could not be compiled."""

    code = "EVALUATION_ERROR"


class NotCompiled(EvaluationFailed):
    """It has a syntax error: unlike what raises, it cannot do better another time."""


class SessionProblem(CharlotteError):
    """The session cannot do that now; also how a bug of ours is told."""

    code = "SESSION_ERROR"


class SnapshotExpired(CharlotteError):
    """The snapshot was evicted, or never existed; the message names the range that does."""

    code = "SNAPSHOT_EXPIRED"


class TabNotFound(CharlotteError):
    """This session has no such tab."""

    code = "TAB_NOT_FOUND"


class TabHung(CharlotteError):
    """The page's own script has kept the renderer busy; the script was left alone."""

    code = "TAB_HUNG"


class ScreenshotFailed(CharlotteError):
    """The browser could not capture an image."""

    code = "SCREENSHOT_FAILED"


class StorageFailed(CharlotteError):
    """A file could not be written, or would be too large."""

    code = "FILE_STORAGE_ERROR"
    default_suggestion = "Free space there or pass a path in another root, then repeat the call."


class BrowserSilent(CharlotteError):
    """The browser does not answer now; it is given up and replaced should that go on."""

    code = "CDP_CONNECTION_LOST"


class Fatal(CharlotteError):
    """Ends the incarnation: what it stood on is gone.

    It answers the caller too, unless `is_answer` is False: then whoever ends the actor does.
    """

    is_answer: ClassVar[bool] = True


class TabCrashed(Fatal):
    """The renderer died; the tab comes back at its URL."""

    code = "TAB_CRASHED"


class ConnectionLost(Fatal):
    """The connection to the browser ended; it is started again and its tabs are restored."""

    code = "CDP_CONNECTION_LOST"
