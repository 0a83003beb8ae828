"""What the server asks of the application; `charlotte.app` implements it, tests fake it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from charlotte.progress import Report
from charlotte.tools.answer import Answer, Changed
from charlotte.tools.toolbox import ListedTool


class Service(Protocol):
    """One session of Charlotte, as a client of MCP uses it."""

    def listed(self) -> Sequence[ListedTool]:
        """Return the tools to show now."""
        ...

    def input_schema(self, name: str) -> dict[str, Any] | None:
        """Return one tool's schema; None if there is no such tool."""
        ...

    def status(self) -> dict[str, Any]:
        """Return what the server is doing, as JSON."""
        ...

    def hidden(self, text: str) -> str:
        """Return a text with the session's secrets replaced by their names."""
        ...

    def directories(self) -> Sequence[Path]:
        """Return where the session keeps files: what it saves and what pages download."""
        ...

    def use_roots(self, directories: Sequence[Path], /) -> None:
        """Have files read and written in the client's directories too."""
        ...

    async def answer(self, name: str, arguments: dict[str, Any], progress: Report | None) -> Answer:
        """Run a tool, under any spelling of its name.

        ``delivered`` of the answer is to be called once the client has been sent it.

        Raises:
            UnknownTool: there is none of that name.
            CharlotteError: the answer is an error.
        """
        ...

    def on_change(self, callback: Callable[[Changed], None]) -> Callable[[], None]:
        """Call ``callback``, from trio's thread, whenever one of the session's lists changes.

        Returns a function that ends this; a second call of it does nothing.
        """
        ...
