"""Answers about ten component libraries have no hidden text, wrong focus or wrong value.

`make test-libraries` installs the libraries and sets ``LIBRARIES`` to their directory.
"""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.libraries import site
from tests.libraries.comparing import unlike, wrong
from tests.libraries.oracle import Oracle
from tests.whole.client import Message, Server, open_server
from tests.whole.processes import browser_of, profile_of

pytestmark = site.MARKS

Step = tuple[str, ...]
CLICK, TYPE, SELECT, KEY = "click", "type", "select", "key"

PAGES: dict[str, list[Step]] = {
    "mui?page=dialog": [(TYPE, "Name", "Ada"), (CLICK, "Open dialog"), (TYPE, "Place", "Rome"),
                        (CLICK, "Cancel")],
    "mui?page=form": [(TYPE, "Password", "hunter2"), (SELECT, "Age", "Ten"), (CLICK, "Agree"),
                      (CLICK, "Notifications")],
    "mui?page=tabs": [(CLICK, "Billing"), (CLICK, "Shipping details"), (CLICK, "Profile")],
    "mui?page=list": [(SELECT, "People", "Grace Hopper"), (CLICK, "Send"), (KEY, "Tab")],
    "mui?page=table": [(CLICK, "Sort")],
    "react_select?page=single": [(SELECT, "City", "Oslo"), (KEY, "Tab")],
    "react_select?page=multi": [(SELECT, "Cities", "Rome"), (KEY, "Backspace")],
    "react_select?page=groups": [(CLICK, "Grouped city"), (KEY, "ArrowDown"), (KEY, "Enter")],
    "react_select?page=creatable": [(TYPE, "Tags", "new one"), (KEY, "Enter")],
    "react_select?page=dependent": [(SELECT, "City", "Paris"), (TYPE, "Street", "Rue 1")],
    "ag_grid?page=plain": [(CLICK, "Person 1"), (KEY, "ArrowDown")],
    "ag_grid?page=edit": [(CLICK, "Person 2"), (KEY, "Enter"), (KEY, "x")],
    "ag_grid?page=filter": [(CLICK, "Person 3")],
    "ag_grid?page=sort": [(KEY, "Tab"), (KEY, "Tab")],
    "ag_grid?page=many": [(CLICK, "Person 4"), (KEY, "PageDown")],
    "shoelace?page=form": [(TYPE, "Email", "ada@example.org"), (TYPE, "Comment", "two words"),
                           (CLICK, "Agree"), (CLICK, "Alerts")],
    "shoelace?page=select": [(CLICK, "Fruit"), (CLICK, "Pear")],
    "shoelace?page=dialog": [(TYPE, "Behind", "one"), (CLICK, "Open"), (TYPE, "Nickname", "two"),
                             (CLICK, "Close it")],
    "shoelace?page=details": [(CLICK, "Second"), (CLICK, "More about us")],
    "shoelace?page=menu": [(CLICK, "Edit"), (CLICK, "Paste text"), (KEY, "Tab")],
    "flatpickr?page=single": [(CLICK, "Date"), (CLICK, "March 12, 2026"), (TYPE, "Note", "a")],
    "flatpickr?page=range": [(CLICK, "Date"), (CLICK, "March 17, 2026")],
    "flatpickr?page=time": [(CLICK, "Date"), (KEY, "Tab")],
    "flatpickr?page=alt": [(CLICK, "Date"), (CLICK, "March 20, 2026")],
    "flatpickr?page=inline": [(CLICK, "March 25, 2026"), (TYPE, "Note", "b")],
    "primevue?page=select": [(SELECT, "Choose a city", "Oslo"), (KEY, "Tab")],
    "primevue?page=multi": [(SELECT, "Cities", "Rome"), (KEY, "Escape")],
    "primevue?page=dialog": [(TYPE, "Behind", "one"), (CLICK, "Show"), (TYPE, "Nickname", "two"),
                             (KEY, "Escape")],
    "primevue?page=fields": [(TYPE, "Phone", "12345"), (CLICK, "Subscribe")],
    "primevue?page=table": [(CLICK, "City")],
    "quill?page=empty": [(TYPE, "Subject", "Hello"), (KEY, "Tab"), (KEY, "x")],
    "quill?page=text": [(CLICK, "Subject"), (KEY, "Tab")],
    "quill?page=list": [(TYPE, "Subject", "Hello")],
    "quill?page=link": [(CLICK, "the manual")],
    "quill?page=two": [(TYPE, "Subject", "x")],
    "tom_select?page=single": [(SELECT, "Planet", "Venus"), (TYPE, "Moon", "Io")],
    "tom_select?page=chosen": [(TYPE, "Moon", "Io"), (KEY, "Tab")],
    "tom_select?page=multi": [(SELECT, "Planet", "Venus"), (KEY, "Tab")],
    "tom_select?page=create": [(TYPE, "Planet", "Pluto"), (KEY, "Enter")],
    "tom_select?page=remove": [(TYPE, "Moon", "Io")],
    "fullcalendar?page=month": [(CLICK, "Next month"), (CLICK, "Previous month")],
    "fullcalendar?page=week": [(CLICK, "month")],
    "fullcalendar?page=day": [(CLICK, "week")],
    "fullcalendar?page=full": [(CLICK, "more")],
    "fullcalendar?page=edit": [(CLICK, "Meeting 0")],
    "codemirror?page=empty": [(KEY, "Tab"), (KEY, "x")],
    "codemirror?page=short": [(KEY, "Tab"), (KEY, "ctrl+a")],
    "codemirror?page=long": [(KEY, "Tab"), (KEY, "PageDown")],
    "codemirror?page=fixed": [(KEY, "Tab")],
    "codemirror?page=two": [(KEY, "Tab"), (KEY, "ctrl+End"), (KEY, "x")],
}  # fmt: skip


@pytest.fixture(scope="module")
def origin() -> Generator[str]:
    names = {page.partition("?")[0] for page in PAGES}
    with site.serve(site.bundle(Path(site.INSTALLED), names)) as address:
        yield address


@pytest.fixture(scope="module")
def server() -> Generator[Server]:
    with open_server("--chromium-arg=--remote-debugging-port=0") as running:
        running.call("configure", max_chars=400_000)
        running.call("tab_open")
        yield running


@pytest.fixture(scope="module")
def oracle(server: Server) -> Oracle:
    return Oracle(profile_of(browser_of(server.process.pid)))


@pytest.mark.parametrize("page", PAGES)
def test_answers_match_the_page(page: str, origin: str, server: Server, oracle: Oracle) -> None:
    url = f"{origin}/{page}"
    found = compared(server, oracle, url, server.call("navigate", url=url, detail="full").json)
    for step in PAGES[page]:
        sentences = compared(server, oracle, url, taken(server, step))
        found += [f"after {step}: {sentence}" for sentence in sentences]
    assert not found, "\n".join(found)


def taken(server: Server, step: Step) -> Any:
    """Find an element and act on it, as an agent would."""
    tool, *arguments = step
    if tool == KEY:
        *modifiers, key = arguments[0].split("+")
        return server.call("key", key=key, modifiers=modifiers).json
    rows: list[Message] = server.call("find", text=arguments[0]).json
    assert rows, f"find has no {arguments[0]!r}"
    more = {TYPE: "text", SELECT: "value"}
    rest = {more[tool]: arguments[1]} if tool in more else {}
    return server.call(tool, element_id=rows[0]["id"], **rest).json


def compared(server: Server, oracle: Oracle, url: str, answer: Any) -> list[str]:
    """Compare an answer, and `observe` after it, with a stable page."""
    for _ in range(5):
        before = oracle.look(url)
        page = server.call("observe", detail="full").json
        found = wrong(page, before) or unlike(answer, page)
        if before == oracle.look(url):
            content = server.call("observe", mode="content").texts[0]
            return found + wrong({"interactive": [], "content": content}, before)
        server.call("wait_for", time=200)  # the libraries' own animations
    pytest.fail(f"{url} does not stand still")
