"""Examples of the text form."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import attrs
import trio

from charlotte.actors.state.events import PendingDialog
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.state.session_settings import Settings
from charlotte.answers.answer import Answer, Text, add_boundaries
from charlotte.answers.answer_format import answering_in
from charlotte.answers.deltas import Delta, write_delta
from charlotte.answers.remarks import (
    extra_remarks,
    write_dialog,
    write_error,
    write_remark,
    write_tab,
)
from charlotte.answers.text.changes import compare
from charlotte.answers.text.cut import split_margins, write_section
from charlotte.answers.text.outline import build_outline
from charlotte.answers.text.page import render_page, write_header
from charlotte.answers.text_answers import TextAnswer
from charlotte.page.identity.assignment import PREFIXES
from charlotte.page.identity.id_book import IdBook
from charlotte.page.identity.references import DocumentNode, Match
from charlotte.page.model import Bounds, Element, PageView
from charlotte.page.tokens import STATE_WORDS, TYPE_WORDS, write_control, write_text
from charlotte.tools.batch import Prepared, Step, batch
from charlotte.tools.find import write_found
from charlotte.tools.schema.tool import tool
from tests.answers.text.examples import (
    SHOP,
    add_calendar,
    book_cards,
    book_form,
    lists,
    long_page,
    sign_in,
    with_texts,
)
from tests.page.pages import Page, view_of

from .registry import code, example, fenced, table
from .states import MISSING, STAMP, two_states

CURSOR = "12.lines.0"


# ---------------------------------------------------------------------------- pages


def keep(_: Sequence[object]) -> str:
    """Return the cursor of lines that are left out."""
    return CURSOR


def write_page(view: PageView, *remarks: str, detail: Any = "summary", **more: Any) -> str:
    """Return the text of the first answer about a page."""
    header = write_header("tab-1", view, None, more.pop("status", None))
    return render_page(
        build_outline(view, **more), detail, header, remarks, keep=keep, max_chars=40_000
    ).text


def write_lines(page: Page) -> str:
    """Return the lines of a page without its header."""
    return "\n".join(line.written for line in build_outline(view_of(page.capture())).lines)


@example
def page() -> str:
    """Write a form and a table."""
    return fenced(write_page(view_of(book_form().capture())))


@example
def headers() -> str:
    """Write the first lines of four answers."""
    view = view_of(Page(url=f"{SHOP}/books?page=1", title="Books").capture())
    next_page = attrs.evolve(view, url=f"{SHOP}/books?page=2")
    missing = attrs.evolve(view, document="doc2", url=f"{SHOP}/b", title="Not found")
    lines = [
        write_header("tab-1", view, None),
        write_header("tab-1", view, view),
        write_header("tab-1", next_page, view),
        write_header("tab-1", missing, view, 404),
    ]
    return fenced("\n".join(lines))


@example
def inline() -> str:
    """Write a control in a sentence."""
    page = Page()
    page.text("Read the terms and accept.", controls=[9, 9, 14])
    page.link("terms", nid=9)
    return fenced(write_lines(page))


@example
def structure() -> str:
    """Write a dialog with a form."""
    return fenced(write_lines(sign_in()))


@example
def refs() -> str:
    """Write the ids of headings and boxes of controls."""
    page = Page()
    page.heading("Books", 1)
    page.button("Order")
    view = view_of(page.capture())
    lines = build_outline(view, with_refs=True, with_bounds=True).lines
    return fenced("\n".join(line.written for line in lines))


@example
def table_rows() -> str:
    """Write a table and a list."""
    return fenced(write_lines(lists()))


@example
def cards() -> str:
    """Write cards that react to clicks."""
    return fenced(write_lines(book_cards()))


@example
def cut() -> str:
    """Write a page that is cut, without most of its rows."""
    first, *others = write_page(view_of(long_page().capture()), detail="auto").split("\n")
    start = next(index for index, line in enumerate(others) if "Book 4" in line)
    end = next(index for index, line in enumerate(others) if line.lstrip().startswith("… "))
    return fenced("\n".join([first, *others[:start], "⋮", *others[end - 1 :]]))


@example
def folded() -> str:
    """Write the beginning of a page whose navigation is known."""
    outline = build_outline(view_of(long_page().capture()))
    known = {write_section(section) for section in split_margins(outline.lines)}
    text = render_page(outline, "auto", "tab-1", (), keep=keep, max_chars=40_000, known=known).text
    return fenced("\n".join([*text.split("\n")[:4], "⋮"]))


@example
def minimal() -> str:
    """Write the structure of a page."""
    return fenced(write_page(view_of(book_form().capture()), detail="minimal"))


# ---------------------------------------------------------------------------- controls and texts


ROLES = {
    "text_input": "textbox",
    "textarea": "textbox",
    "select": "combobox",
    "range": "slider",
    "file_input": "button",
    "date_input": "",
    "color_input": "",
}
"""Roles of types with another name."""


def control(kind: str, label: str = "Name", **values: Any) -> Element:
    """Return a control of a type."""
    known: dict[str, Any] = {
        "role": ROLES.get(kind, kind),
        "bounds": Bounds(8, 8, 80, 20),
        "state": {},
        "landmark": -1,
        **dict.fromkeys(("href", "placeholder", "value", "options")),
    }
    return Element(id=f"{PREFIXES[kind]}-1a2b", type=kind, label=label, **{**known, **values})


@example
def prefixes() -> str:
    """Write the prefixes of ids."""
    types: dict[str, list[str]] = {}
    for kind, prefix in PREFIXES.items():
        types.setdefault(prefix, []).append(kind)
    rows = [(code(prefix), ", ".join(map(code, kinds))) for prefix, kinds in types.items()]
    return table(("prefix", "type"), rows)


def list_states() -> Iterator[tuple[Element, str]]:
    """Return elements with a state, and what it means."""
    for value, meaning in ((True, "checked"), (False, "not checked"), ("mixed", "partly checked")):
        yield control("checkbox", state={"checked": value}), meaning
    field = control("text_input")
    yield attrs.evolve(field, state={"required": True}), "required"
    yield attrs.evolve(field, is_password=True), "password; its value is never read"
    yield attrs.evolve(field, value="Kindred"), "its value"
    yield attrs.evolve(field, placeholder="Title"), "a placeholder, without a value"
    listed = control("select", options=("S", "M"))
    yield listed, "its options, if they are few and short"
    yield attrs.evolve(listed, options=("x",) * 12), "the number of its options"
    for kind in TYPE_WORDS:
        yield control(kind), f"type {code(kind)}"
    yield control("button", role="menuitem"), "a role that differs from its type"
    for name, words in STATE_WORDS.items():
        for value, word in zip((True, False), words, strict=True):
            if word:
                meaning = f"{code(name)} is {str(value).lower()}"
                yield control("button", state={name: value}), meaning
    wrong = control("text_input", state={"invalid": True}, message="No address")
    yield wrong, "what the page says about the value"
    yield control("button", state={"pressed": "mixed"}), "partly on"
    yield control("button", state={"sort": "ascending"}), "sort order of its column"
    yield control("link", state={"current": "page"}), "the link of the present page"
    yield control("button", role="player", state={"player": "paused 0:00/0:20"}), "a player"
    yield control("clickable", click_type="double"), "reacts to another click"
    yield control("button", "", near="Low Water"), "text beside it, without a name"
    yield control("button", "", icon="trash"), "what its icon seems to show, without a name"
    yield control("button", title="Adds a book"), "a title or tooltip that says more"


@example
def states() -> str:
    """Write each state on its own."""
    rows: list[tuple[str, str]] = []
    for element, meaning in list_states():
        states = re.sub(r'^\S+ "[^"]*" ?', "", write_control(element))
        rows.append((code(states), meaning))
    return table(("state", "meaning"), rows)


@example
def all_states() -> str:
    """Write a control with many states."""
    full = control(
        "text_input",
        "Search",
        role="combobox",
        state={"required": True, "expanded": False, "focused": True},
        value="tide",
        title="Searches titles",
    )
    return fenced(write_control(full))


@example
def quoting() -> str:
    """Write texts that could be mistaken."""
    texts = (
        "Save [draft]",
        "[draft]",
        '"Silent Tide"',
        "# 1",
        "- new",
        "! 3 errors",
        'btn-1a2b "Pay"',
        "Home | Books",
        "4 → 5",
        "a\u202eb",
        "one\ntwo",
    )
    rows = [
        (
            code(json.dumps(text)[1:-1].replace('\\"', '"').replace("\\u2192", "→")),
            code(write_text(text)),
        )
        for text in texts
    ]
    return table(("text on the page", "in an answer"), rows)


# ---------------------------------------------------------------------------- changes


def delta_of(old: PageView, new: PageView) -> Delta:
    """Return the changes between two states."""
    is_other = old.document != new.document
    changes = compare(build_outline(old), build_outline(new))
    return Delta(old, changes, is_other, is_replaced=is_other)


def write_changes(old: PageView, new: PageView, **more: Any) -> str:
    """Return the answer to an action."""
    header, change = write_header("tab-1", new, old), attrs.evolve(delta_of(old, new), **more)
    return write_delta(change, header, (), keep=keep, max_chars=40_000)[0]


@example
def delta() -> str:
    """Write a changed value."""
    return fenced(write_changes(*two_states(book_form(), book_form(value="Kindred"))))


@example
def changes() -> str:
    """Write changes of all kinds."""
    before, after = book_form(), book_form(value="Kindred", stock="0", is_saved=True)
    add_calendar(after)
    return fenced(write_changes(*two_states(before, after)))


@example
def by_itself() -> str:
    """Write what a page changed before an action."""
    book = IdBook()
    counts = ("2 messages", "1 draft"), ("3 messages", "1 draft"), ("3 messages", "2 drafts")
    reported, old, new = (view_of(with_texts(*texts).capture(), book) for texts in counts)
    return fenced(write_changes(old, new, earlier=delta_of(reported, old).changes))


@example
def other_document() -> str:
    """Write the changes against another document."""
    before = with_texts("1 book", "Total: £ 9.00", url=f"{SHOP}/cart")
    address = f"{SHOP}/cart?added=2"
    after = with_texts("2 books", "Total: £ 21.50", url=address, document="doc2")
    return fenced(write_changes(*two_states(before, after)))


# ---------------------------------------------------------------------------- other answers


def new_tab(number: int = 1, **values: Any) -> TabRecord:
    """Return the record of a tab."""
    known: dict[str, Any] = {"url": f"{SHOP}/", "title": "Shop"}
    return TabRecord(f"tab-{number}", SessionRecord("session-1"), **{**known, **values})


@example
def errors() -> str:
    """Write an error."""
    return fenced(write_error(MISSING))


@example
def remarks() -> str:
    """Write remarks."""
    lines = [
        *extra_remarks(
            {"invalid": [{"id": "inp-7cf4", "name": "Title", "message": "Fill in this field."}]}
        ),
        *extra_remarks({"scroll": {"x": 0, "y": 400, "max_x": 0, "max_y": 2400}}),
        write_remark("1 timer of 10 s is still running"),
        "! 2 page tools: page_tools",
        write_dialog(PendingDialog("confirm", "Delete 3 books?", STAMP)),
    ]
    return fenced("\n".join(lines))


@example
def found() -> str:
    """Write what find found."""
    link = control("link", "Ann Lee", href=f"{SHOP}/authors/7")
    order = control("button", "Order", row="Silent Tide")
    again = attrs.evolve(order, id="btn-1a2c", row="Low Water")
    node = Match(
        place=DocumentNode("", 1),
        selector="td",
        tag="td",
        text="4 in stock",
        bounds=None,
        heading="Books",
    )
    return fenced("\n".join(write_found([link, order, again, node], lambda _: "dom-3fa2", SHOP)))


@example
def tabs() -> str:
    """Write a list of tabs."""
    second = new_tab(2, title="Stock", url=f"{SHOP}/stock")
    return fenced("\n".join([write_tab(new_tab(), ["active"]), write_tab(second, ["loading"])]))


@tool(group="interaction")
async def click(_: Any) -> Answer[None]:
    """Return the answer of a step that shows its page at the end."""
    return Answer(())


class Steps:
    """A session whose steps have prepared answers."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        self._answers = list(answers)
        self.settings = Settings()

    def prepare(self, _: str, arguments: dict[str, Any]) -> Prepared:
        return Prepared(click, arguments, "tab-1", "text")

    async def perform(self, _: Prepared) -> Answer:
        await trio.lowlevel.checkpoint()
        return self._answers.pop(0)


def write_batch(session: Steps, steps: Sequence[Step]) -> str:
    """Return the answer of a batch."""

    async def run() -> str:
        with answering_in("text"):
            return (await batch.handler(session, steps, parallel=False, stop_on_error=True)).text

    return trio.run(run)


@example
def batch_steps() -> str:
    """Write the answer of a batch."""
    record = new_tab(url=f"{SHOP}/library/book/add/", title="Add book | Library")
    books = [
        book_form(value="Kindred"),
        book_form(value="Kindred", message="Is the title new?"),
        book_form(value="Kindred", stock="0", is_saved=True),
    ]
    ids = IdBook()
    views = [view_of(one.capture(), ids) for one in books]
    record.note_delivered(views[0])

    def answer(old: PageView, new: PageView) -> Answer:
        shown = TextAnswer(
            record, new, write_header("tab-1", new, old), (), delta_of(old, new), 40_000
        )
        return Answer((Text(""),), shown=shown)

    answers = [answer(views[0], views[1]), answer(views[1], views[2])]
    save = next(one.id for one in views[0].interactive if one.label == "Save")
    calls = [Step("click", {"element_id": save})] * 2
    return fenced(write_batch(Steps(answers), calls))


@example
def boundaries() -> str:
    """Write an answer in boundary lines."""
    text = add_boundaries("tab-1\n~ 3 of 12 books → 4 of 12 books")
    return fenced(re.sub(r"\b[0-9a-f]{16}\b", "4f1d0c6a92b35e78", text))
