"""Examples of JSON answers, and the fields of their records."""

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import attrs

from charlotte.actors.state.events import PendingDialog
from charlotte.actors.state.logs import Download
from charlotte.actors.state.sites import Edit
from charlotte.answers.news import News
from charlotte.answers.pages import limit_value, news_as_json
from charlotte.answers.render import (
    Envelope,
    PageErrors,
    build_list,
    render_view,
)
from charlotte.base.errors import CharlotteError
from charlotte.page.diff.views import diff_views
from charlotte.page.find import Cursor
from charlotte.page.model import Bounds, Change, Element
from charlotte.tools.page_tools import tool_as_json
from tests.answers.text.examples import (
    SHOP,
    book_form,
    small_page,
)
from tests.page.pages import view_of

from .registry import code, example, fenced, table
from .states import MISSING, PAGE_TOOL, STAMP, two_states
from .text_form import control

FIELDS = Path(__file__).with_name("fields.toml")


def envelope(**more: Any) -> Envelope:
    """Return the parts of a JSON answer around the page."""
    return Envelope(snapshot_id=3, timestamp=STAMP, tab_id="tab-1", **more)


def json_delta_of() -> Any:
    """Return a JSON answer to an action."""
    old, new = two_states(book_form(), book_form(value="Kindred"))
    found = diff_views(old, new, from_snapshot=2, to_snapshot=3, scope="delta")
    return render_view(new, "delta", envelope(delta=found)).body


def indented(value: Any) -> str:
    """Return a JSON value with a line for each member of the outer object."""
    members = (
        f"{json.dumps(key)}: {json.dumps(item, ensure_ascii=False)}" for key, item in value.items()
    )
    return "{\n " + ",\n ".join(members) + "\n}"


@example
def json_page() -> str:
    """Write a page as JSON."""
    return fenced(
        indented(render_view(view_of(small_page().capture()), "summary", envelope()).body)
    )


@example
def json_delta() -> str:
    """Write a change as JSON."""
    return fenced(indented(json_delta_of()))


@example
def json_error() -> str:
    """Write an error as JSON."""
    return fenced(json.dumps(MISSING.as_json(), ensure_ascii=False))


def full_element() -> Element:
    """Return an element with all optional members."""
    names = (
        "group",
        "icon",
        "near",
        "title",
        "message",
        "href",
        "placeholder",
        "click_type",
        "value",
    )
    texts = ("role", *names, "frame")
    return control(
        "select",
        **dict.fromkeys(texts, "x"),
        options=("x",),
        is_password=True,
        styles={},
        in_viewport=True,
    )


def all_news() -> dict[str, Any]:
    """Return the keys of an answer that reports news of every kind."""
    tab: Any = SimpleNamespace(
        id="tab-1",
        error_note="x",
        dirty_note="x",
        waiting_for_people=["x"],
        session=SimpleNamespace(hidden=str, tabs={}),
        shown=(SHOP, "x"),
    )
    news = News(
        record=tab,
        notices=["x"],
        until=1,
        left_out=0,
        opened=[tab],
        edits=[Edit(("x",), STAMP)],
        downloads=[Download(SHOP, "x")],
        offered=frozenset([("x", "x")]),
    )
    return news_as_json(news)


def page_tool_call() -> dict[str, Any]:
    """Return the key ``page_tool`` of answers, with all its members."""
    result = limit_value("result", "x", 100) | limit_value("result", "x" * 200, 100)
    return {"name": "x", "untrusted": True, **result, "leads_away": True, "warning": "x"}


def records() -> dict[str, Mapping[str, Any]]:
    """Return an example of each record of JSON answers, with all its members."""
    view = view_of(small_page().capture())
    problems = PageErrors(
        console=[{"level": "error", "text": str(number)} for number in range(11)],
        network=[{"url": SHOP, "status": 404, "statusText": "Not Found"}],
    )
    full = render_view(view, "full", envelope(errors=problems)).body
    short = render_view(view, "minimal", envelope(errors=problems)).body
    delta = json_delta_of()
    cut = build_list("interactive", view.interactive * 9, Element.as_json, room=300)
    cut.uncaptured = 1
    change = Change("changed", "x", "x", "x", "x", "x")
    form = attrs.evolve(view.forms[0], action="x", method="x")
    return {
        "page": {**full, **short, **delta, **all_news(), **EXTRAS},
        "structure": full["structure"],
        "landmark": view.landmarks[0].as_json(),
        "heading": view.headings[0].as_json(),
        "element": full_element().as_json(),
        "form": form.as_json(),
        "bounds": Bounds(0, 0, 1, 1).as_json(),
        "delta": delta["delta"],
        "change": change.as_json(),
        "errors": full["errors"],
        "truncation": cut.describe_cut(Cursor(12, "", 0)),
        "pending_dialog": PendingDialog("prompt", "x", STAMP, "x").as_json(),
        "download": Download(SHOP, "x", path=Path("x")).row(),
        "reload_event": all_news()["reload_event"],
        "page_tool": page_tool_call(),
        "offered_tool": tool_as_json(PAGE_TOOL, 1000),
        "error": CharlotteError("x", "x", {"x": 1}).as_json()["error"],
    }


EXTRAS: Mapping[str, Any] = {
    "status": 200,
    "detail": "summary",
    "text": [],
    "truncation": {},
    "pending_dialog": {},
    "scroll": {},
    "left_out": {},
    **{name: [] for name in ("changes", "invalid")},
    **dict.fromkeys(("note", "unsettled", "instead_of_delta"), ""),
}
"""Parts of an answer that are only there if there is something to report, without the news."""

TYPES: Mapping[type, str] = {
    str: "string",
    bool: "boolean",
    int: "number",
    list: "array",
    dict: "object",
    type(None): "string",
    type(...): "any",
}


def write_fields() -> Iterator[str]:
    """Return a table of the fields of each record; exits if a meaning is missing."""
    meanings: dict[str, dict[str, str]] = tomllib.loads(FIELDS.read_text())
    written = records()
    for name, fields in meanings.items():
        about = fields.pop("about")
        if missing := written[name].keys() - fields.keys():
            sys.exit(f"{FIELDS.name}: no meaning of {', '.join(sorted(missing))} in {name}")
        if unknown := fields.keys() - written[name].keys():
            sys.exit(f"{FIELDS.name}: no field {', '.join(sorted(unknown))} in {name}")
        rows = [
            (code(field), TYPES[type(written[name][field])], meaning)
            for field, meaning in fields.items()
        ]
        yield f"**{about}**\n\n{table(('field', 'type', 'meaning'), rows)}"


@example
def fields() -> str:
    """Write the tables of all records."""
    return "\n\n".join(write_fields())
