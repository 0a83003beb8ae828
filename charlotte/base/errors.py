"""All errors of Charlotte, written for an agent that has to continue.

The caller gets the error, and the actor that raised it continues; with a `Fatal` error, the actor's
incarnation ends.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, ClassVar, Self

LONGEST = 2_000
"""Maximum characters of a message; quoted text can be of any size."""


SNAPSHOT_ADVICE = (
    "Take a new snapshot to see current page state. ",
    "Take a new snapshot to get current element state. ",
)
"""Beginnings of suggestions that name no tool; errors in the text form do without them."""


def report_nothing() -> None:
    """Do nothing: the answer has no news. It is no lambda: answers are pickled."""


class CharlotteError(Exception):
    """A failure: ``message`` names the object, ``suggestion`` the next step.

    ``text`` is the answer in the text form, None if the call is answered in JSON. ``delivered`` is
    called once the agent has the error; the news of a page in its details are not reported again.
    ``tab_id`` is the tab of the call.
    """

    code: ClassVar[str] = "SESSION_ERROR"
    what_to_do: ClassVar[str] = ""
    """The usual next step, for the documentation; ``suggestion`` has the one for this case."""
    default_suggestion: ClassVar[str | None] = None

    def __init__(
        self, message: str, suggestion: str | None = None, details: dict[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion or self.default_suggestion
        self.details = details
        self.envelope: dict[str, Any] = {}
        self.text: str | None = None
        self.tab_id: str | None = None
        self.delivered: Callable[[], None] = report_nothing

    def again(self) -> Self:
        """Return a copy for another caller.

        A shared instance would collect the envelope and the traceback of every caller.
        """
        error = type(self).__new__(type(self), *self.args)
        error.__dict__.update(self.__dict__)
        error.__cause__ = self.__cause__
        return error

    def hide(self, hidden: Callable[[Any], Any]) -> None:
        """Redact message, suggestion, details and envelope with ``hidden``, which takes JSON."""
        self.message, self.suggestion = hidden(self.message), hidden(self.suggestion)
        self.details, self.envelope = hidden(self.details), hidden(self.envelope)
        self.args = (self.message,)

    def as_json(self) -> dict[str, Any]:
        """Return ``{"error": {code, message, suggestion?, details?}}`` (C-ERR-02).

        The keys of ``envelope`` stand next to ``error``.
        """
        error: dict[str, Any] = {"code": self.code, "message": ellipsize(self.message, LONGEST)}
        if self.suggestion:
            error["suggestion"] = ellipsize(self.suggestion, LONGEST)
        if self.details:
            error["details"] = self.details
        return {**self.envelope, "error": error}


def ellipsize(text: str, limit: int) -> str:
    """Return the first ``limit`` characters of a text, with an ellipsis if that cuts it."""
    return text if len(text) <= limit else f"{text[:limit]}…"


def valid_unicode(text: str) -> str:
    """Return a text with U+FFFD instead of lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


class InvalidArgument(CharlotteError):
    """The arguments are invalid; the message names every problem."""

    code = "INVALID_ARGUMENT"
    what_to_do = "Correct the arguments that the message names. The page was not touched."


class InvalidCoordinates(CharlotteError):
    """The point is outside the viewport; ``details`` has the valid range."""

    code = "INVALID_COORDINATES"
    what_to_do = "Choose a point inside the range in `details`, or scroll first."


class ElementNotFound(CharlotteError):
    """No element of this tab has the reference: it never did, or the element was removed."""

    code = "ELEMENT_NOT_FOUND"
    what_to_do = "Use one of the suggested ids, or call observe or find."
    default_suggestion = f"{SNAPSHOT_ADVICE[0]}Call observe or find."


class ElementNotInteractive(CharlotteError):
    """The element exists, but is hidden, disabled, covered, or of the wrong kind."""

    code = "ELEMENT_NOT_INTERACTIVE"
    what_to_do = (
        "Change what the message names: close the covering element, enable the "
        "control, or choose another one."
    )


class ElementChanged(CharlotteError):
    """The element differs from what the agent was shown: name, record or destination."""

    code = "ELEMENT_CHANGED"
    what_to_do = (
        "Call observe or find, check that the element is the right one, and repeat the action."
    )
    default_suggestion = f"{SNAPSHOT_ADVICE[1]}Call observe or find."


class DocumentChanged(ElementChanged):
    """The page shows another document than the one the agent was shown."""


class NavigationFailed(CharlotteError):
    """The browser could not load the page; the message contains its error text."""

    code = "NAVIGATION_FAILED"
    what_to_do = "Check the address and that its server runs, then navigate again."


class NavigationBlocked(CharlotteError):
    """Charlotte refuses to load the address."""

    code = "NAVIGATION_BLOCKED"
    what_to_do = "Use another address, or ask for the setting that the message names."


class PolicyRefused(CharlotteError):
    """A rule of the policy refuses the call, or a person who was asked did."""

    code = "POLICY_REFUSED"
    what_to_do = "Do not try another way: report to the user which rule refuses it."


class DeadlineExceeded(CharlotteError):
    """The call exceeded its time limit; the tab can be used again."""

    code = "TIMEOUT"
    what_to_do = "Look at the page; pass a longer timeout if the page only needs more time."


class PageToolNotFound(CharlotteError):
    """The page offers no tool with this name."""

    code = "PAGE_TOOL_NOT_FOUND"
    what_to_do = "Use a tool that page_tools lists, or use the page itself."
    default_suggestion = what_to_do


class PageToolNotShown(CharlotteError):
    """The page's tool is new, or differs from the one that the agent was shown."""

    code = "PAGE_TOOL_NOT_SHOWN"
    what_to_do = "Call page_tools, check what the tool claims to do, then decide whether to call."
    default_suggestion = what_to_do


class PageToolFailed(CharlotteError):
    """The page's tool threw, was canceled, or its document was replaced; it is not repeated."""

    code = "PAGE_TOOL_FAILED"
    what_to_do = "Check what changed on the page, then decide how to go on."
    default_suggestion = what_to_do


class EvaluationFailed(CharlotteError):
    """JavaScript of the agent raised an exception or could not be compiled."""

    code = "EVALUATION_ERROR"
    what_to_do = "Correct the expression and call again."


class NotCompiled(EvaluationFailed):
    """JavaScript of the agent has a syntax error, so a retry cannot succeed."""


class SessionProblem(CharlotteError):
    """The session cannot do this now; also used to report a bug of Charlotte."""

    code = "SESSION_ERROR"
    what_to_do = "Follow the suggestion; call tabs for the state of the session."


class BudgetExceeded(SessionProblem):
    """The budget of sessions or tabs is used up; ``details`` has limit and use."""

    code = "BUDGET_EXCEEDED"
    what_to_do = (
        "Close tabs or sessions that are no longer needed, or repeat the call after "
        "`retry_after_s` seconds."
    )


class SnapshotExpired(CharlotteError):
    """The snapshot was evicted or never existed; the message has the valid range."""

    code = "SNAPSHOT_EXPIRED"
    what_to_do = "Use a snapshot in the range that the message names, or observe again."


class TabNotFound(CharlotteError):
    """The session has no tab with this id."""

    code = "TAB_NOT_FOUND"
    what_to_do = "Call tabs for the open tabs."


class WindowClosed(TabNotFound):
    """A page closed its own window, the tab ``tab_id``, during a call."""

    opener_id = ""


class TabHung(CharlotteError):
    """A script of the page blocks the renderer; it was not interrupted."""

    code = "TAB_HUNG"
    what_to_do = "Call reload, which ends the script, or close the tab."


class ScreenshotFailed(CharlotteError):
    """The browser could not capture an image."""

    code = "SCREENSHOT_FAILED"
    what_to_do = "Observe the page, or take a smaller screenshot."


class StorageFailed(CharlotteError):
    """A file could not be written, or would be too large."""

    code = "FILE_STORAGE_ERROR"
    what_to_do = "Free space, or pass a path in another root."
    default_suggestion = "Free space there or pass a path in another root, then repeat the call."


class BrowserSilent(CharlotteError):
    """The browser does not answer; it is restarted if this continues."""

    code = "CDP_CONNECTION_LOST"
    what_to_do = (
        "Repeat the call after the browser has restarted; check first whether an "
        "action took effect."
    )


class AuditFailed(CharlotteError):
    """The audit log cannot be written; the call did not begin."""

    code = "AUDIT_FAILED"
    what_to_do = "Ask the operator to make room for the audit log; then repeat the call."
    default_suggestion = what_to_do


class PersonHasTab(CharlotteError):
    """A person works in the tab; the call did not reach it."""

    code = "PERSON_HAS_TAB"
    what_to_do = "Work in another tab until ask_person has returned."
    default_suggestion = what_to_do


class Fatal(CharlotteError):
    """Ends the incarnation of an actor, because its page or browser ended.

    The caller gets the error too if `is_answer`; otherwise the supervisor answers the caller.
    """

    is_answer: ClassVar[bool] = True


class TabCrashed(Fatal):
    """The renderer process ended; the tab is restored at its URL."""

    code = "TAB_CRASHED"
    what_to_do = (
        "Check whether the action took effect: it is not repeated. The tab is back at its URL."
    )


class ConnectionLost(Fatal):
    """The connection to the browser ended; the browser restarts and its tabs are restored."""

    code = "CDP_CONNECTION_LOST"
    what_to_do = BrowserSilent.what_to_do


def internal_error(tool: str, error: Exception) -> SessionProblem:
    """Return the error for a tool that failed by a bug of Charlotte."""
    return SessionProblem(
        f"internal error in {tool} ({type(error).__name__}); "
        "the action may or may not have happened.",
        "Observe the page before you repeat the call.",
    )


@contextmanager
def adding(describe: Callable[[], str]) -> Generator[None]:
    """Add to the message of an error a sentence on the work done before it."""
    try:
        yield
    except Fatal:
        raise
    except CharlotteError as error:
        message = f"{error.message} {describe()}"
        raise type(error)(message, error.suggestion, error.details) from error
