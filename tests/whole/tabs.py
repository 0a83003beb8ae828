"""A tab as tests use it: every method calls tools of the real server."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, cast

import attrs

from tests.whole.answers import new_texts
from tests.whole.client import PATIENCE, Message, Pending, Reply, Server
from tests.whole.web import Web


@attrs.frozen(eq=False)
class Tab:
    """One tab of the server; ``page`` arguments are paths of the site, or markup."""

    server: Server
    web: Web
    id: str

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """Call a tool and return its parsed answer."""
        return self.reply(tool, **arguments).json

    def refused(self, tool: str, /, **arguments: Any) -> Message:
        """Call a tool that must fail and return its error."""
        return self.reply(tool, **arguments).error

    def reply(self, tool: str, /, **arguments: Any) -> Reply:
        return self.start(tool, **arguments).reply()

    def start(self, tool: str, /, **arguments: Any) -> Pending:
        return self.server.start(tool, tab_id=self.id, **arguments)

    def open(self, page: str, **arguments: Any) -> Any:
        """Navigate to a page of the site, or to a new page with the markup."""
        path = page if page.startswith("/") else self.web.write(page)
        return self.call("navigate", url=self.web.url(path), **arguments)

    def find(self, text: str, **filters: Any) -> str:
        return cast("str", self.element(text, **filters)["id"])

    def element(self, text: str, **filters: Any) -> Message:
        found: list[Message] = self.call("find", text=text, **filters)
        rows = [row for row in found if row.get("type") not in {"text", "note", "truncation"}]
        assert rows, f"{self.id} has no {text!r}"
        return rows[0]

    def click(self, text: str, **arguments: Any) -> Any:
        return self.call("click", element_id=self.find(text), **arguments)

    def type(self, label: str, text: str, **arguments: Any) -> Any:
        return self.call("type", element_id=self.find(label), text=text, **arguments)

    def js(self, expression: str, **arguments: Any) -> Any:
        return self.call("evaluate", expression=expression, **arguments)["value"]

    def beside(self) -> "Tab":
        """Open another tab, which becomes active."""
        return Tab(self.server, self.web, self.server.call("tab_open").json["tab_id"])

    @property
    def row(self) -> Message:
        rows: list[Message] = self.server.call("tabs").json
        [row] = [row for row in rows if row["id"] == self.id]
        return row


@contextmanager
def new_tab(server: Server, web: Web) -> Generator[Tab]:
    yield Tab(server, web, server.call("tab_open").json["tab_id"])
    close_tabs(server)


def close_tabs(server: Server) -> None:
    for row in server.call("tabs").json:
        server.call("tab_close", tab_id=row["id"])


def eventually(condition: Callable[[], object], patience: float = PATIENCE) -> None:
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline, f"not within {patience} s"
        time.sleep(0.01)  # asking again at once would slow down what is waited for


def is_usable(tab: Tab) -> bool:
    """Return whether the tab can load another page and click in it."""
    tab.open("/counter.html")
    return "The count is 1." in new_texts(tab.click("Clicked 0"))
