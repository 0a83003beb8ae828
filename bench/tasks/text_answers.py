"""Reads Charlotte's text answers, as an agent does who knows a few rules of their form."""

import json
import re
from collections.abc import Sequence
from typing import Final

import attrs

from bench.tasks import json_answers
from bench.tasks.model import Item, Seen, plain

KINDS: Final = {
    "btn": "button",
    "lnk": "link",
    "inp": "field",
    "sel": "choice",
    "chk": "check",
    "tog": "check",
    "rad": "radio",
    "clk": "clickable",
}
_STRING: Final = r'"(?:[^"\\]|\\.)*"'
_CONTROL: Final = re.compile(
    rf"\b(?P<ref>(?P<prefix>{'|'.join(KINDS)})-[0-9a-f]{{4,}}(?:-\d+)?)"
    rf'(?: (?P<name>{_STRING}))?(?: \[(?P<states>(?:[^"\]]|{_STRING})*)\])?'
)
_QUOTED: Final = re.compile(rf"(?<!\S){_STRING}(?!\S)")
_STATE: Final = re.compile(rf"(?:=|near) ({_STRING})")
_HEADER: Final = re.compile(r"(tab-\d+)(?:\s|$)")
_OPENED: Final = re.compile(r"^! (tab-\d+) opened")
_STEP: Final = re.compile(r"(?m)^\d+ \w+: .*\n?")
_ORDER: Final = re.compile(r"(?m)^! (?:list|table).* now first: (.*)$")
_AGAINST: Final = re.compile(r"(?m)^! changes against (tab-\d+):$")
_KEPT: Final = re.compile(r"(?m) as before$")
_PAGE: Final = re.compile(r"(?m)^(?=tab-\d+(?: |$))")
_CHANGE: Final = re.compile(r"^(?:[+~-] |no changes$|! changes )", re.MULTILINE)
_ARROW: Final = " → "


@attrs.frozen
class _Line:
    """A line without its sign: ``depth`` is its indentation, ``row`` the number of its row.

    ``body`` is the present content, ``old`` the former content.
    """

    depth: int
    body: str
    old: str
    row: int

    def text(self) -> str:
        """Return what the line shows now: names and values instead of controls."""
        return plain(_unquote(_CONTROL.sub(_words, self.body)).lstrip("#*|[ "))


def parse(answer: str) -> Seen:
    """Read an answer; `Seen.whole`: it shows a page, not changes."""
    if answer.startswith("PAGE: "):  # a text mode of observe, the same in both forms
        return json_answers.parse(answer)
    header, lines = _HEADER.match(answer), _lines(answer.splitlines())
    changes = header is not None and _CHANGE.search(answer) is not None
    rows: dict[int, list[str]] = {}
    for line in lines:
        rows.setdefault(line.row, []).append(line.text())
    items: list[Item] = []
    before = ""
    for line in lines:
        items += _items(line, before, plain(" ".join(rows[line.row])))
        before = line.text() or before
    old, order = "\n".join(line.old for line in lines), _ORDER.search(answer)
    return Seen(
        items=tuple(items),
        text=plain(" ".join(line.text() for line in lines)),
        whole=header is not None and not changes,
        changes=changes,
        keeps=_KEPT.search(answer) is not None,
        order=tuple(order[1].split(", ")) if order else (),
        gone=frozenset(found["ref"] for found in _CONTROL.finditer(old)) - {i.ref for i in items},
        tab=header[1] if header else "",
        opened=tuple(found[1] for line in lines if (found := _OPENED.match(line.body))),
    )


def parse_steps(answer: str) -> list[Seen]:
    """Read the answer to a batch: what each step showed, or the pages that follow the steps."""
    *parts, last = _STEP.split(answer)[1:]
    own, *pages = _PAGE.split(last)
    steps = [re.sub(r"(?m)^  (?:> )?", "", part).rstrip("\n") for part in (*parts, own)]
    return [parse(step) for step in steps] if any(steps) else _pages(pages)


def _pages(texts: Sequence[str]) -> list[Seen]:
    """Read pages of several tabs, of which some are written as changes against another."""
    pages: dict[str, Seen] = {}
    for text in texts:
        seen, against = parse(text.rstrip("\n")), _AGAINST.search(text)
        if against:
            other = pages[against[1]]
            items = (*seen.items, *(item for item in other.items if item.ref not in seen.gone))
            seen = attrs.evolve(seen, items=items, text=f"{seen.text} {other.text}")
        pages[seen.tab] = seen
    return list(pages.values())


def _lines(texts: Sequence[str]) -> list[_Line]:
    """Split lines into sign, indentation and body; number the rows that they belong to."""
    lines: list[_Line] = []
    row, row_depth = 0, -1
    for text in texts:
        sign = text[:1] if text[:2] in {"+ ", "- ", "~ "} else ""
        rest = text[2:] if sign else text
        body = rest.lstrip(" ")
        depth = len(rest) - len(body)
        is_head = body.startswith(("| ", "* "))
        if is_head or depth <= row_depth or row_depth < 0:
            row += 1
            row_depth = depth if is_head else -1
        old, new = (body, "") if sign == "-" else ("", body)
        if sign == "~":
            old, new = _sides(body)
        lines.append(_Line(depth, new, old, row))
    return lines


def _sides(body: str) -> tuple[str, str]:
    """Return the old and the new side of a change, each with the cells that did not change."""
    cells = [cell.rpartition(_ARROW) for cell in body.split(" | ")]
    return " | ".join(old for old, _, _ in cells), " | ".join(new for _, _, new in cells)


def _items(line: _Line, before: str, around: str) -> list[Item]:
    """Return the controls of a line, each with the text before it."""
    items: list[Item] = []
    end, last = 0, before
    for found in _CONTROL.finditer(line.body):
        last = plain(_unquote(line.body[end : found.start()]).strip("#*|[ ")) or last
        end = found.end()
        if found["name"] is None:  # a change of an element that is known by its id
            continue
        name = json.loads(found["name"])
        near = re.search(rf"near ({_STRING})", found["states"] or "")
        label = json.loads(near[1]) if near else last
        kind = KINDS[found["prefix"]]
        items.append(Item(found["ref"], kind, name, label, plain(f"{around} {label}")))
        last = name or last
    return items


def _words(found: re.Match[str]) -> str:
    """Return the name of a control, and its value or the text near it."""
    parts = [found["name"] or "", *_STATE.findall(found["states"] or "")]
    return " ".join(parts)


def _unquote(text: str) -> str:
    return _QUOTED.sub(lambda found: str(json.loads(found[0])), text)
