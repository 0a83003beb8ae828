"""What a capture holds, in the words of the tests."""

from typing import Any

import attrs

from tests.browser.raw_cdp import Json, RawPage

LINE = 2


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
        parent: int = node[0] if len(node) == LINE else node[1]
        row = _row(node, by_number.get(parent))
        rows.append(row)
        if row.nid:
            by_number[row.nid] = row
    return rows


def _row(node: list[Any], above: Row | None) -> Row:
    if len(node) == LINE:
        return Row(0, "text", node[1], None, {"k": "t"}, above)
    nid, _, role, name, box, *more = node
    extra: Json = {"k": "i"}
    if more:
        extra |= more[0]
    return Row(nid, role, name, box or None, extra, above)


async def rows_in(page: RawPage, html: str) -> list[Row]:
    """Show a document and capture it."""
    await page.load(html)
    return rows_of(await page.ask("capture"))


async def only(page: RawPage, html: str, kinds: str = "ilhfgc") -> Row:
    """The only row of those kinds in the document."""
    (row,) = [row for row in await rows_in(page, html) if row.kind in kinds]
    return row


async def named(page: RawPage, html: str, kinds: str = "ilhfgc") -> list[tuple[str, str]]:
    """Role and name of every row of those kinds."""
    return [(row.role, row.name) for row in await rows_in(page, html) if row.kind in kinds]


async def lines_in(page: RawPage, html: str) -> list[str]:
    """The lines of text."""
    return [row.name for row in await rows_in(page, html) if row.kind == "t"]
