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

from charlotte.base.version import __version__

TYPE_CHECKING = False  # importing typing would lengthen the start of each command

if TYPE_CHECKING:
    from charlotte.actors.kernel.mailbox import Event as Event
    from charlotte.actors.kernel.mailbox import EventStream as EventStream
    from charlotte.actors.kernel.mailbox import Restarted as Restarted
    from charlotte.actors.state.events import AdoptionChanged as AdoptionChanged
    from charlotte.actors.state.events import ConsoleLogged as ConsoleLogged
    from charlotte.actors.state.events import Crashed as Crashed
    from charlotte.actors.state.events import DialogAnswered as DialogAnswered
    from charlotte.actors.state.events import DialogOpened as DialogOpened
    from charlotte.actors.state.events import DownloadChanged as DownloadChanged
    from charlotte.actors.state.events import GrantChanged as GrantChanged
    from charlotte.actors.state.events import Loaded as Loaded
    from charlotte.actors.state.events import Navigated as Navigated
    from charlotte.actors.state.events import NavigationRefused as NavigationRefused
    from charlotte.actors.state.events import QuestionAsked as QuestionAsked
    from charlotte.actors.state.events import QuestionSettled as QuestionSettled
    from charlotte.actors.state.events import Restored as Restored
    from charlotte.actors.state.events import TabClosed as TabClosed
    from charlotte.actors.state.events import TabOpened as TabOpened
    from charlotte.actors.state.events import TakeoverChanged as TakeoverChanged
    from charlotte.answers.answer import Answer as Answer
    from charlotte.answers.answer import Found as Found
    from charlotte.answers.answer import Image as Image
    from charlotte.answers.answer import Link as Link
    from charlotte.answers.answer import Listing as Listing
    from charlotte.answers.answer import Page as Page
    from charlotte.answers.answer import Request as Request
    from charlotte.answers.answer import Requests as Requests
    from charlotte.answers.answer import Screenshot as Screenshot
    from charlotte.answers.answer import TabRow as TabRow
    from charlotte.answers.answer import Text as Text
    from charlotte.api.app import Charlotte as Charlotte
    from charlotte.api.joined import JoinedSession as JoinedSession
    from charlotte.api.joined import join as join
    from charlotte.api.opening import open_charlotte as open_charlotte
    from charlotte.api.session import Session as Session
    from charlotte.base.errors import AuditFailed as AuditFailed
    from charlotte.base.errors import BudgetExceeded as BudgetExceeded
    from charlotte.base.errors import CharlotteError as CharlotteError
    from charlotte.base.errors import ConnectionLost as ConnectionLost
    from charlotte.base.errors import DeadlineExceeded as DeadlineExceeded
    from charlotte.base.errors import ElementChanged as ElementChanged
    from charlotte.base.errors import ElementNotFound as ElementNotFound
    from charlotte.base.errors import ElementNotInteractive as ElementNotInteractive
    from charlotte.base.errors import EvaluationFailed as EvaluationFailed
    from charlotte.base.errors import InvalidArgument as InvalidArgument
    from charlotte.base.errors import InvalidCoordinates as InvalidCoordinates
    from charlotte.base.errors import NavigationBlocked as NavigationBlocked
    from charlotte.base.errors import NavigationFailed as NavigationFailed
    from charlotte.base.errors import PersonHasTab as PersonHasTab
    from charlotte.base.errors import PolicyRefused as PolicyRefused
    from charlotte.base.errors import ScreenshotFailed as ScreenshotFailed
    from charlotte.base.errors import SessionProblem as SessionProblem
    from charlotte.base.errors import SnapshotExpired as SnapshotExpired
    from charlotte.base.errors import StorageFailed as StorageFailed
    from charlotte.base.errors import TabCrashed as TabCrashed
    from charlotte.base.errors import TabHung as TabHung
    from charlotte.base.errors import TabNotFound as TabNotFound
    from charlotte.config.config import Config as Config
    from charlotte.page.model import Element as Element
    from charlotte.page.model import SnapshotDiff as SnapshotDiff
    from charlotte.tools.batch import Step as Step
    from charlotte.tools.emulation import MockRule as MockRule
    from charlotte.tools.filling import Field as Field
    from charlotte.tools.states import NewCookie as NewCookie
    from charlotte.tools.toolkit import Tab as Tab

_HOMES = {
    name: f"charlotte.{module}"
    for module, names in {
        "actors.kernel.mailbox": "Event EventStream Restarted",
        "actors.state.events": "AdoptionChanged ConsoleLogged Crashed DialogAnswered "
        "DialogOpened DownloadChanged GrantChanged Loaded Navigated NavigationRefused "
        "QuestionAsked QuestionSettled Restored TabClosed TabOpened TakeoverChanged",
        "api.app": "Charlotte",
        "config.config": "Config",
        "base.errors": "AuditFailed BudgetExceeded CharlotteError ConnectionLost DeadlineExceeded "
        "ElementChanged ElementNotFound ElementNotInteractive EvaluationFailed InvalidArgument "
        "InvalidCoordinates NavigationBlocked NavigationFailed PersonHasTab PolicyRefused "
        "ScreenshotFailed SessionProblem SnapshotExpired StorageFailed TabCrashed TabHung "
        "TabNotFound",
        "api.joined": "JoinedSession join",
        "api.opening": "open_charlotte",
        "page.model": "Element SnapshotDiff",
        "api.session": "Session",
        "answers.answer": "Answer Found Image Link Listing Page Request Requests Screenshot TabRow "
        "Text",
        "tools.emulation": "MockRule",
        "tools.filling": "Field",
        "tools.batch": "Step",
        "tools.states": "NewCookie",
        "tools.toolkit": "Tab",
    }.items()
    for name in names.split()
}
__all__ = ["__version__", *_HOMES]  # pyright: ignore[reportUnsupportedDunderAll] # noqa: PLE0604


def __getattr__(name: str) -> object:
    """Import a name on first use: the server greets its client before it loads the rest."""
    if name not in _HOMES:
        raise AttributeError(f"module 'charlotte' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
