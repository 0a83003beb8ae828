"""Random pages whose texts, names and values imitate what Charlotte writes."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from hypothesis import strategies as st

from tests.page.pages import Page

FRAGMENTS = (
    *("\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029", "\t", "\x00", "\x1b"),
    *("[", "]", '"', "\\", '\\"', "{", "}", "[disabled]", "[x]", '[= "1"]', "[nav]", "[row]", ", "),
    *(" | ", "|", " |", "| ", " → ", "→", "→ ", " / ", ' / "', " / # x"),
    *("…", "… ", "… 8 more rows"),
    *('btn-1a2b "Pay" [disabled]', "btn-1a2b", "lnk-1", "inp-", "frm-3243", "dom-12ab", "@ref:4"),
    *('tab-1 "Bank" http://127.0.0.1/ 1280x720', "tab-1", "tab-", "1280x720", "status 404", "e12"),
    *("! ", "!", "! note", "error ", "error", "error X: y", "+ ", "- ", "~ ", "* ", "+", "-", "~"),
    *("*", "# ", "#", "###### ", "## hdg-12ab", "no changes"),
    *("[form frm-3243]", '[table "x", 9 rows]'),
    *("\u202e", "\u2066", "\u200b", "\u200d", "\u200c", "\ufeff", "\u00ad", "\u2060", "\u061c"),
    *("b\u200btn-1a2b", "b\u200dtn-1a2b", "b\u034ftn-1a2b", "b\ufe0ftn-1a2b", "\u3164"),
    *("\U000e0041", "\ud83d", "\udc00", "\ud83d\udc00", "\u00a0", "\u3000", "\u2003"),
    *("é", "👩\u200d🚀"),
    *(
        "x",
        "Pay",
        "  ",
        " ",
        "= ",
        "-> http://a/",
        "hint ",
        "near ",
        "12 options",
        "null",
        "\\u000a",
    ),
    *("%0a", ".", ",", ")", "a" * 300),
)
"""Line separators, brackets, ids, headers, remarks, signs, and characters that are not drawn."""

texts = st.one_of(
    st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=4).map("".join),
    st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=4).map(" ".join),
    st.text(st.characters(codec=None), min_size=1, max_size=20),
)
"""Texts that imitate."""

names = st.one_of(st.sampled_from(["", "Save"]), texts)

_CONTROLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("button", {"tag": "button"}),
    ("link", {"tag": "a"}),
    ("textbox", {"tag": "input", "type": "text"}),
    ("textbox", {"tag": "input", "type": "password", "secret": 1}),
    ("textbox", {"tag": "textarea"}),
    ("combobox", {"tag": "select"}),
    ("checkbox", {"tag": "input", "type": "checkbox"}),
    ("radio", {"tag": "input", "type": "radio"}),
    ("switch", {"tag": "button"}),
    ("slider", {"tag": "input", "type": "range"}),
    ("generic", {"tag": "input", "type": "date"}),
    ("treeitem", {"tag": "li"}),
    ("tab", {"tag": "div"}),
    ("generic", {"tag": "div", "k": "c"}),
)
"""Roles of controls, and the facts that decide about their types."""

_FLAGS = ("disabled", "required", "invalid", "readonly", "focused", "unwritten")
_LANDMARKS = ("banner", "navigation", "main", "complementary", "region", "search", "contentinfo")
_GROUPS = ("group", "dialog", "toolbar", "menu", "tablist", "table", "list")
_CONTAINERS = {"l", "g", "f", "s"}
_PARTS = ("table", "row", "list", "item", "article")


@st.composite
def facts(draw: st.DrawFn) -> dict[str, Any]:
    """Return states, values and texts of a control."""
    drawn: dict[str, Any] = dict.fromkeys(draw(st.sets(st.sampled_from(_FLAGS), max_size=3)), 1)
    optional: dict[str, st.SearchStrategy[Any]] = {
        "checked": st.sampled_from([True, False, "mixed"]),
        "expanded": st.booleans(),
        "selected": st.booleans(),
        "pressed": st.sampled_from([True, False, "mixed"]),
        "sort": st.sampled_from(["none", "ascending", "descending", "other"]),
        "current": st.sampled_from([True, "page", "step", "location", "date", "time"]),
        "value": texts,
        "placeholder": texts,
        "options": st.lists(texts, max_size=10),
        "near": texts,
        "title": texts,
        "href": texts,
        "click": st.sampled_from(["double", "right", "middle"]),
    }
    for name in draw(st.sets(st.sampled_from(sorted(optional)), max_size=3)):
        drawn[name] = draw(optional[name])
    return drawn


@attrs.frozen
class Step:
    """A node of a page; ``parent`` is the number of a step before it, or -1.

    ``inline`` are the controls of a line, each after a text.
    """

    kind: str
    role: str
    name: str
    parent: int
    extra: Mapping[str, Any]
    is_written: bool = False
    inline: Sequence[tuple[str, "Step"]] = ()


@st.composite
def controls(draw: st.DrawFn, parent: int, cell: Mapping[str, int]) -> Step:
    role, native = draw(st.sampled_from(_CONTROLS))
    extra: dict[str, Any] = {**cell, **native, **draw(facts())}
    return Step(extra.pop("k", "i"), role, draw(names), parent, extra, draw(st.booleans()))


@st.composite
def steps(draw: st.DrawFn, parent: int) -> Step:
    kind = draw(st.sampled_from("ttttiiihlgfsss"))
    cell = draw(st.sampled_from([None, None, 0, 1, 2]))
    extra: dict[str, Any] = {} if cell is None else {"cell": cell}
    is_written = draw(st.booleans())
    role, name = "", ""
    inline: Sequence[tuple[str, Step]] = ()
    match kind:
        case "i":
            return draw(controls(parent, extra))
        case "t":
            role, name = "text", draw(texts)
            if is_written:
                inline = draw(st.lists(st.tuples(names, controls(parent, extra)), max_size=3))
        case "h":
            role, name = "heading", draw(texts)
            extra["level"] = draw(st.integers(1, 6))
        case "l":
            role, name = draw(st.sampled_from(_LANDMARKS)), draw(names)
        case "g":
            role, name = draw(st.sampled_from(_GROUPS)), draw(texts)
        case "f":
            role, name = "form", draw(names)
            extra |= {"named": 1} if is_written else {}
        case _:
            role = draw(st.sampled_from(_PARTS))
    return Step(kind, role, name, parent, extra, is_written, inline)


@st.composite
def plans(draw: st.DrawFn, most: int = 14) -> list[Step]:
    """Return the nodes of a page in document order."""
    plan: list[Step] = []
    around = [-1]
    for number in range(draw(st.integers(1, most))):
        while len(around) > 1 and draw(st.integers(0, 3)) == 0:
            around.pop()
        step = draw(steps(around[-1]))
        plan.append(step)
        if step.kind in _CONTAINERS:
            around.append(number)
    return plan


def build(plan: Sequence[Step | None], title: str = "Shop", url: str = "http://shop.test/") -> Page:
    """Return the page of a plan; a node that is None is left out."""
    page = Page(title=title, url=url)
    indexes = {-1: -1}
    for number, step in enumerate(plan):
        if step is None:
            continue
        parent = indexes[step.parent]
        if step.kind == "t":
            _add_line(page, step, parent, 1000 * (number + 1))
            continue
        index = page.add(
            step.kind, step.role, step.name, parent=parent, nid=number + 1, **step.extra
        )
        indexes[number] = index
        if step.kind == "h" or (step.is_written and step.kind in {"i", "c"}):
            page.text(step.name or "x", parent=index)
    return page


def _add_line(page: Page, step: Step, parent: int, first: int) -> None:
    """Add a line of text and the controls in it, whose numbers begin with ``first``."""
    text = ""
    places: list[int] = []
    for number, (before, control) in enumerate(step.inline):
        text += f"{before} "
        places += [first + number, len(text), len(text) + len(control.name)]
        text += f"{control.name} "
    more = {"controls": places} if places else {}
    page.text(f"{text}{step.name}", parent=parent, **step.extra, **more)
    for number, (_, control) in enumerate(step.inline, first):
        page.add(
            control.kind, control.role, control.name, parent=parent, nid=number, **control.extra
        )


addresses = st.one_of(st.just("http://shop.test/"), texts)
pages = st.builds(build, plans(), title=names, url=addresses)


@st.composite
def page_pairs(draw: st.DrawFn) -> tuple[Page, Page]:
    """Return two states of a page: nodes are new, gone, or have another name and other states."""
    plan = draw(plans())
    states: list[list[Step | None]] = [[], []]
    for step in plan:
        before: Step | None = step
        after: Step | None = step
        match draw(st.sampled_from("===+-~~")):
            case "+" if step.kind not in _CONTAINERS:
                before = None
            case "-" if step.kind not in _CONTAINERS:
                after = None
            case "~":
                more = draw(facts()) if step.kind in {"i", "c"} else {}
                name = draw(st.one_of(st.just(step.name), texts)) if step.name else ""
                after = attrs.evolve(step, name=name, extra={**step.extra, **more})
            case _:
                pass
        states[0].append(before)
        states[1].append(after)
    if draw(st.booleans()):
        label, count = draw(texts), draw(st.integers(10, 20))
        days = [Step("i", "button", f"{label}{day}", -1, {"tag": "button"}) for day in range(count)]
        states[draw(st.integers(0, 1))] += days
    old, new = (build(state) for state in states)
    return old, new
