"""What a capture holds, in the words of the tests."""

import json
from typing import Any

import attrs

from charlotte.page.capture import Capture, parse_answer
from tests.browser.raw_cdp import Json, RawPage

LINE = 3
"""Members of the longest row of a line."""

PART = 4
"""Members of the row of a table, row, list, item or article."""


@attrs.frozen
class Row:
    """A row of a capture; ``above`` is the row it lies in."""

    nid: int
    role: str
    name: str
    box: list[int] | None
    extra: Json
    above: "Row | None"

    @property
    def kind(self) -> str:
        return str(self.extra["k"])

    def says(self, *keys: str) -> dict[str, Any]:
        """Those of the keys that ``extra`` has."""
        return {key: self.extra[key] for key in keys if key in self.extra}


def rows_of(capture: Json) -> list[Row]:
    """The rows, each joined to the one it lies in."""
    rows: list[Row] = []
    by_number: dict[int, Row] = {}
    for node in capture["nodes"]:
        parent: int = node[0] if len(node) <= LINE else node[1]
        row = _row(node, by_number.get(parent))
        rows.append(row)
        if row.nid:
            by_number[row.nid] = row
    return rows


def _row(node: list[Any], above: Row | None) -> Row:
    if len(node) <= LINE:
        return Row(0, "text", node[1], None, {"k": "t"} | _place(*node[2:]), above)
    if len(node) == PART:
        nid, _, role, column = node
        cell = {"cell": column} if column >= 0 else {}
        return Row(nid, role, "", None, {"k": "s"} | cell, above)
    nid, _, role, name, box, *more = node
    extra: Json = {"k": "i"}
    if more:
        extra |= more[0]
    return Row(nid, role, name, box or None, extra, above)


def _place(place: list[Any] | int = -1) -> Json:
    """Column of a line, number, start and end of each control in it, and numbers of items."""
    members: list[Any] = place if isinstance(place, list) else [place]
    numbers = [one for one in members if isinstance(one, str)]
    column, *controls = members[len(numbers) :]
    facts: Json = {"cell": column} if column >= 0 else {}
    facts |= {"controls": controls} if controls else {}
    return facts | ({"numbers": numbers} if numbers else {})


async def rows_in(page: RawPage, html: str) -> list[Row]:
    await page.write(html)
    return rows_of(await page.ask("capture"))


async def only(page: RawPage, html: str, kinds: str = "ilhfgc") -> Row:
    (row,) = [row for row in await rows_in(page, html) if row.kind in kinds]
    return row


async def only_in_each(page: RawPage, texts: list[str], kinds: str = "ilhfgc") -> list[Row]:
    """The only row of those kinds in each of the texts, which one document shows."""
    rows = await rows_in(page, "".join(f"<div>{text}</div>" for text in texts))
    found = [row for row in rows if row.kind in kinds]
    assert len(found) == len(texts), [(row.role, row.name) for row in found]
    return found


async def named(page: RawPage, html: str, kinds: str = "ilhfgc") -> list[tuple[str, str]]:
    return [(row.role, row.name) for row in await rows_in(page, html) if row.kind in kinds]


async def lines_in(page: RawPage, html: str) -> list[str]:
    return [row.name for row in await rows_in(page, html) if row.kind == "t"]


async def captures_after(page: RawPage, script: str) -> tuple[Capture, Capture]:
    """Return the capture after a change of the page that builds on the one before, and a new one.

    They are equal if the probe has noticed everything that changed.
    """
    before = parse_answer(await page.run_beside("charlotte.capture()"))
    await page.run(f"{script}; 0")
    asked = f"charlotte.capture({json.dumps({'known': before.answer})})"
    now = parse_answer(await page.run_beside(asked), before)
    return now, parse_answer(await page.run_beside("charlotte.capture({fresh: true})"))
