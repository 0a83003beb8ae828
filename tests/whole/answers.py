"""The format of answers: tests compare the parts that these functions return."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from tests.whole.client import Message


def changes(answer: Message, **wanted: Any) -> list[Message]:
    found: list[Message] = answer.get("delta", answer)["changes"]
    return [
        change for change in found if all(change.get(k) == value for k, value in wanted.items())
    ]


def new_texts(answer: Message) -> list[str]:
    """Return the texts that the page did not have before: lines, labels and values."""
    return [text for change in changes(answer) for text in _texts(change.get("to"))]


def property_changes(answer: Message, name: str) -> list[tuple[Any, Any]]:
    """Return the old and new values of a property, one pair for each changed element."""
    found = changes(answer, type="changed", property=name)
    return [(change.get("from"), change.get("to")) for change in found]


def elements(answer: Any, **wanted: Any) -> list[Message]:
    """Return the elements of a page answer, or of `find`, that have those values."""
    rows = answer
    if isinstance(answer, Mapping):
        page = cast("Message", answer)
        rows = page["interactive"] if "interactive" in page else page["elements"]
    found = cast("list[Message]", rows)
    return [row for row in found if all(row.get(k) == value for k, value in wanted.items())]


def labels(answer: Any, **wanted: Any) -> list[str]:
    return [row["label"] for row in elements(answer, **wanted)]


def headings(answer: Message) -> list[str]:
    return [heading["text"] for heading in answer["structure"]["headings"]]


def messages(answer: Message) -> list[str]:
    """Return the texts of console messages, of `console` or in the errors of a page."""
    rows = answer["messages"] if "messages" in answer else answer["errors"]["console"]
    return [row["text"] for row in rows]


def mentions(value: object, text: str) -> bool:
    if isinstance(value, Mapping):
        parts = cast("Mapping[str, object]", value)
        return any(mentions(part, text) for part in (*parts, *parts.values()))
    if isinstance(value, list):
        return any(mentions(part, text) for part in cast("list[object]", value))
    return text in str(value)


def notices(answer: Message) -> list[str]:
    """Return the notices of an answer: crashes, restarts, omissions."""
    return cast("list[str]", answer.get("notices", []))


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield from value.split("\n")
    elif isinstance(value, Mapping):
        record = cast("Message", value)
        for name in ("label", "text", "value"):
            yield from _texts(record.get(name))
    elif isinstance(value, list):
        for part in cast("list[object]", value):
            yield from _texts(part)
