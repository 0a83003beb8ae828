"""The session with which a gateway answers clients that have no session yet."""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import attrs

from charlotte.actors.state.questions import Channel, Question
from charlotte.actors.state.tab_budget import TabBudget
from charlotte.errors import SessionProblem
from charlotte.progress import Report
from charlotte.saved_files import FileContents, FileEntry, not_found
from charlotte.tools.answer import Changed
from charlotte.tools.schema.tool import ListedTool, Toolbox


@attrs.frozen
class Lobby:
    """The tools of a new session, and the status of the cluster; it has no files and no tabs."""

    _toolbox: Toolbox
    _status: Callable[[], dict[str, Any]]

    @property
    def tab_count(self) -> int:
        """The number of tabs."""
        return 0

    def limit_tabs(self, budget: Callable[[], TabBudget], /) -> None:
        """Do nothing, because there are no tabs."""

    def listed(self) -> Sequence[ListedTool]:
        """Return the tools of a new session."""
        return self._toolbox.listed()

    def on_change(self, _: Callable[[Changed], None], /) -> Callable[[], None]:
        """Do nothing: the list does not change."""
        return lambda: None

    async def answer(
        self,
        _name: str,
        _arguments: dict[str, Any],
        _progress: Report | None = None,
        _channel: Channel | None = None,
        /,
    ) -> NoReturn:
        """Refuse: a call has a session."""
        raise SessionProblem("A call needs a session.", "Call again without a session.")

    @property
    def may_ask(self) -> bool:
        """Whether people can be asked: not on a cluster."""
        return False

    def give_back(self, _: Question, /) -> None:
        """Do nothing, because there are no questions."""

    async def read_status(self) -> dict[str, Any]:
        """Return the status of the cluster without the tabs of sessions."""
        return {**self._status(), "sessions": [], "actors": []}

    async def list_files(self) -> Sequence[FileEntry]:
        """Return no files."""
        return ()

    async def read_file(self, address: str, /) -> FileContents:
        """Raise `InvalidArgument`: there are no files."""
        raise not_found(address)
