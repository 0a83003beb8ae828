"""Reads Charlotte's JSON answers."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from bench.tasks.model import Item, Seen, plain

KINDS: Final = {
    "button": "button",
    "link": "link",
    **dict.fromkeys(("text_input", "textarea", "date_input", "range", "file_input"), "field"),
    "select": "choice",
    **dict.fromkeys(("checkbox", "toggle"), "check"),
    "radio": "radio",
    "clickable": "clickable",
}
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"$')
_TEXTS: Final = ("title", "label", "text", "value", "near", "message", "to")


def parse(answer: str) -> Seen:
    """Read an answer: JSON, or lines of a text mode, which may be followed by JSON."""
    shown = [
        Seen(text=plain(value)) if isinstance(value, str) else _seen(value)
        for value in _values(answer)
    ]
    return Seen(
        items=tuple(item for one in shown for item in one.items),
        text=plain(" ".join(one.text for one in shown)),
        whole=any(one.whole for one in shown),
        changes=any(one.changes for one in shown),
        gone=frozenset(ref for one in shown for ref in one.gone),
        tab=next((one.tab for one in shown if one.tab), ""),
        opened=tuple(tab for one in shown for tab in one.opened),
    )


def parse_steps(answer: str) -> list[Seen]:
    """Read the answer to a batch: what each step showed."""
    results = (step.get("result") for step in json.loads(answer)["results"])
    return [parse(one) if isinstance(one, str) else _seen(one) for one in results]


def _values(answer: str) -> Iterator[Any]:
    """Yield the JSON values of an answer, and the lines between them as one text."""
    lines: list[str] = []
    for line in answer.splitlines():
        if not line.startswith(("{", "[")):
            lines.append(line)
            continue
        try:
            yield json.loads(line)
        except ValueError:
            lines.append(line)
    yield read_lines(lines)


def read_lines(lines: Sequence[str]) -> str:
    """Return the page text in lines of a text mode, without their marks."""
    quoted = [_QUOTED.search(line) for line in lines]
    pairs = zip(lines, quoted, strict=True)
    return " ".join(json.loads(found[0]) if found else line for line, found in pairs)


def _seen(value: Any) -> Seen:
    page = _record(value)
    page = _record(page.get("page")) or page
    changes = [_record(change) for change in _parts(_record(page.get("delta")).get("changes"))]
    removed = [change for change in changes if change["type"] == "removed"]
    opened = [_record(tab) for tab in _parts(page.get("opened_tabs"))]
    return Seen(
        items=tuple(_items(value)),
        text=plain(" ".join(_texts(value))),
        whole="structure" in page,
        changes="delta" in page,
        gone=frozenset(str(change["element"]) for change in removed if "element" in change),
        tab=str(page.get("tab_id", "")),
        opened=tuple(str(tab["id"]) for tab in opened),
    )


def _record(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _parts(value: Any) -> Sequence[Any]:
    return cast("Sequence[Any]", value) if isinstance(value, list) else ()


def _items(value: Any) -> Iterator[Item]:
    """Yield the records of elements anywhere in a value, in order."""
    record = _record(value)
    if "id" in record and record.get("type") in KINDS:
        name, near = record.get("label") or "", record.get("near") or ""
        yield Item(record["id"], KINDS[record["type"]], name, near, near)
    else:
        for part in (*_parts(value), *record.values()):
            yield from _items(part)


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts that a page shows now: not what a removed or changed text was."""
    for part in _parts(value):
        yield from [part] if isinstance(part, str) else _texts(part)
    record = _record(value)
    if record.get("type") == "removed":
        return
    for key, part in record.items():
        if not isinstance(part, str):
            yield from _texts(part)
        elif key in _TEXTS:
            yield part
