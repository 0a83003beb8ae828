"""A browser for AI agents: an MCP server, and the same supervisor inside a trio program.

    async with open_charlotte(Config(viewport="1024x768")) as charlotte:
        async with charlotte.open_session() as session:
            page = await session.navigate("https://example.org")
            await session.click(page.element("More information").id)

Every tool of the server is a method of the session and returns an object; ``session.call`` runs a
tool by name and returns the answer for agents. Both raise a `CharlotteError` on failure. Sessions
are isolated from one another; calls on different tabs run in parallel.
"""

from importlib import import_module

from charlotte.version import __version__

TYPE_CHECKING = False  # importing typing would lengthen the start of each command

if TYPE_CHECKING:
    from charlotte.actors.kernel.mailbox import Event, EventStream, Restarted
    from charlotte.actors.state.events import (
        AdoptionChanged,
        ConsoleLogged,
        Crashed,
        DialogAnswered,
        DialogOpened,
        DownloadChanged,
        GrantChanged,
        Loaded,
        Navigated,
        NavigationRefused,
        QuestionAsked,
        QuestionSettled,
        Restored,
        TabClosed,
        TabOpened,
        TakeoverChanged,
    )
    from charlotte.app import Charlotte
    from charlotte.config import Config
    from charlotte.errors import (
        AuditFailed,
        BudgetExceeded,
        CharlotteError,
        ConnectionLost,
        DeadlineExceeded,
        ElementChanged,
        ElementNotFound,
        ElementNotInteractive,
        EvaluationFailed,
        InvalidArgument,
        InvalidCoordinates,
        NavigationBlocked,
        NavigationFailed,
        PersonHasTab,
        PolicyRefused,
        ScreenshotFailed,
        SessionProblem,
        SnapshotExpired,
        StorageFailed,
        TabCrashed,
        TabHung,
        TabNotFound,
    )
    from charlotte.joined import JoinedSession, join
    from charlotte.opening import open_charlotte
    from charlotte.page.model import Element, SnapshotDiff
    from charlotte.session import Session
    from charlotte.tools.answer import (
        Answer,
        Found,
        Image,
        Link,
        Listing,
        Page,
        Request,
        Requests,
        Screenshot,
        TabRow,
        Text,
    )
    from charlotte.tools.batch import Step
    from charlotte.tools.emulation import MockRule
    from charlotte.tools.filling import Field
    from charlotte.tools.states import NewCookie
    from charlotte.tools.toolkit import Tab

__all__ = [
    "AdoptionChanged",
    "Answer",
    "AuditFailed",
    "BudgetExceeded",
    "Charlotte",
    "CharlotteError",
    "Config",
    "ConnectionLost",
    "ConsoleLogged",
    "Crashed",
    "DeadlineExceeded",
    "DialogAnswered",
    "DialogOpened",
    "DownloadChanged",
    "Element",
    "ElementChanged",
    "ElementNotFound",
    "ElementNotInteractive",
    "EvaluationFailed",
    "Event",
    "EventStream",
    "Field",
    "Found",
    "GrantChanged",
    "Image",
    "InvalidArgument",
    "InvalidCoordinates",
    "JoinedSession",
    "Link",
    "Listing",
    "Loaded",
    "MockRule",
    "Navigated",
    "NavigationBlocked",
    "NavigationFailed",
    "NavigationRefused",
    "NewCookie",
    "Page",
    "PersonHasTab",
    "PolicyRefused",
    "QuestionAsked",
    "QuestionSettled",
    "Request",
    "Requests",
    "Restarted",
    "Restored",
    "Screenshot",
    "ScreenshotFailed",
    "Session",
    "SessionProblem",
    "SnapshotDiff",
    "SnapshotExpired",
    "Step",
    "StorageFailed",
    "Tab",
    "TabClosed",
    "TabCrashed",
    "TabHung",
    "TabNotFound",
    "TabOpened",
    "TabRow",
    "TakeoverChanged",
    "Text",
    "__version__",
    "join",
    "open_charlotte",
]

_HOMES = {
    name: f"charlotte.{module}"
    for module, names in {
        "actors.kernel.mailbox": "Event EventStream Restarted",
        "actors.state.events": "AdoptionChanged ConsoleLogged Crashed DialogAnswered "
        "DialogOpened DownloadChanged GrantChanged Loaded Navigated NavigationRefused "
        "QuestionAsked QuestionSettled Restored TabClosed TabOpened TakeoverChanged",
        "app": "Charlotte",
        "config": "Config",
        "errors": "AuditFailed BudgetExceeded CharlotteError ConnectionLost DeadlineExceeded "
        "ElementChanged ElementNotFound ElementNotInteractive EvaluationFailed InvalidArgument "
        "InvalidCoordinates NavigationBlocked NavigationFailed PersonHasTab PolicyRefused "
        "ScreenshotFailed SessionProblem SnapshotExpired StorageFailed TabCrashed TabHung "
        "TabNotFound",
        "joined": "JoinedSession join",
        "opening": "open_charlotte",
        "page.model": "Element SnapshotDiff",
        "session": "Session",
        "tools.answer": "Answer Found Image Link Listing Page Request Requests Screenshot TabRow "
        "Text",
        "tools.emulation": "MockRule",
        "tools.filling": "Field",
        "tools.batch": "Step",
        "tools.states": "NewCookie",
        "tools.toolkit": "Tab",
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> object:
    """Import a name on first use: the server greets its client before it loads the rest."""
    if name not in _HOMES:
        raise AttributeError(f"module 'charlotte' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
