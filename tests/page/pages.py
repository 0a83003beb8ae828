"""Captures for tests, without a browser."""

import json
from pathlib import Path
from typing import Any

import attrs

from charlotte.page.capture import Capture, parse_answer
from charlotte.page.identity.id_book import IdBook
from charlotte.page.model import PageView
from charlotte.page.view import build_view

Box = tuple[int, int, int, int]
Row = list[Any]

CAPTURES = Path(__file__).parent / "captures"


def written(row: Row, rows: list[Row]) -> Row:
    parent = rows[row[1]][0] if row[1] >= 0 else 0
    extra = row[5]
    match extra["k"]:
        case "t":
            cell = extra.get("cell", -1)
            numbers = extra.get("numbers", [])
            if numbers or "controls" in extra:
                return [parent, row[3], [*numbers, cell, *extra.get("controls", [])]]
            return [parent, row[3], *([cell] if cell >= 0 else [])]
        case "s":
            return [row[0], parent, row[2], extra.get("cell", -1)]
        case _:
            return [row[0], parent, *row[2:]]


def stored(name: str) -> Capture:
    """Return the capture in ``captures/NAME.json``."""
    return parse_answer((CAPTURES / f"{name}.json").read_text(encoding="utf-8"))


def view_of(capture: Capture, book: IdBook | None = None) -> PageView:
    """Return the view of a capture, with new ids by default."""
    return build_view(capture, book or IdBook())


@attrs.define
class Page:
    """A page that is built row by row and can be captured at any time."""

    document: str = "doc1"
    url: str = "http://shop.test/"
    title: str = "Shop"
    scroll: tuple[int, int, int, int] = (0, 0, 0, 2000)
    counts: dict[str, int] = attrs.field(factory=dict[str, int])
    rows: list[Row] = attrs.field(factory=list[Row])
    uncaptured: list[Row] = attrs.field(factory=list[Row])
    alerts: list[str] = attrs.field(factory=list[str])
    scrolls: list[tuple[int, int, int]] = attrs.field(factory=list[tuple[int, int, int]])
    last: int = 0

    def add(
        self,
        kind: str,
        role: str,
        name: str = "",
        *,
        box: Box | None = (10, 10, 80, 20),
        parent: int = -1,
        nid: int | None = None,
        **extra: Any,
    ) -> int:
        """Add a row; return its index, for use as a parent."""
        if nid is None:
            nid = self.last = self.last + 1
        self.rows.append([nid, parent, role, name, box or 0, {"k": kind, **extra}])
        return len(self.rows) - 1

    def button(self, name: str, **more: Any) -> int:
        return self.add("i", "button", name, tag="button", **more)

    def link(self, name: str, href: str = "http://shop.test/x", **more: Any) -> int:
        return self.add("i", "link", name, tag="a", href=href, **more)

    def field(self, name: str, kind: str = "text", **more: Any) -> int:
        """Add a native one-line text input."""
        return self.add("i", "textbox", name, tag="input", type=kind, **more)

    def landmark(self, role: str, name: str = "", **more: Any) -> int:
        return self.add("l", role, name, **more)

    def heading(self, text: str, level: int = 2, **more: Any) -> int:
        index = self.add("h", "heading", text, level=level, **more)
        self.text(text, parent=index)
        return index

    def text(self, line: str, parent: int = -1, **more: Any) -> int:
        """Add a line; ``controls`` are number, start and end of each, ``numbers`` of items."""
        return self.add("t", "text", line, nid=0, parent=parent, **more)

    def part(self, role: str, parent: int = -1, **more: Any) -> int:
        """Add a table, row, list, item or article."""
        return self.add("s", role, parent=parent, **more)

    def copy(self) -> "Page":
        page = attrs.evolve(self, rows=json.loads(json.dumps(self.rows)))
        page.last = self.last
        return page

    def capture(self) -> Capture:
        return parse_answer(self.as_text())

    def as_text(self) -> str:
        return json.dumps(
            {
                "answer": f"{self.document}.1",
                "document": self.document,
                "url": self.url,
                "title": self.title,
                "ready": "complete",
                "lang": "en",
                "viewport": [1280, 720],
                "scroll": self.scroll,
                "elements": len(self.rows) * 3,
                "counts": self.counts,
                **({"beyond": self.uncaptured} if self.uncaptured else {}),
                **({"alerts": self.alerts} if self.alerts else {}),
                **({"scrolls": self.scrolls} if self.scrolls else {}),
                "nodes": [written(row, self.rows) for row in self.rows],
            },
            ensure_ascii=False,
            separators=(",", ":"),
        )


def crowded(controls: int) -> Page:
    """Build a table with that many controls of five kinds, three in a row."""
    page = Page()
    main = page.landmark("main", counts={"tables": 1})
    for index in range(controls):
        x, y = index % 3 * 100, index // 3 * 24
        more: dict[str, Any] = {"parent": main, "box": (x, y, 90, 20), "sib": index % 3}
        match index % 5:
            case 0:
                page.button(f"Edit row {index // 5}", **more)
            case 1:
                page.link(f"Details {index}", f"http://shop.test/items/{index}", **more)
            case 2:
                page.field("Amount", value=str(index), placeholder="0", **more)
            case 3:
                page.add(
                    "i", "checkbox", "Done", tag="input", type="checkbox", checked=True, **more
                )
            case _:
                page.button("Delete", **more)
    return page


def mixed(rows: int) -> Page:
    """Build a page with that many rows of text, links, headings, regions and fields."""
    page = Page()
    region = -1
    for index in range(rows):
        if index % 100 == 0:
            region = page.landmark("region", f"Part {index // 100}", counts={"paragraphs": 40})
            page.heading(f"Chapter {index // 100}", parent=region)
        elif index % 3:
            page.text(f"Line {index} says something about the matter at hand.", parent=region)
        else:
            page.link(f"Note {index}", parent=region, box=(10, index * 20, 80, 18))
    return page
