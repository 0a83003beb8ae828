"""Compare an answer of `observe` with the content that the oracle saw."""

import re
from collections.abc import Iterator
from typing import Any, cast

Json = dict[str, Any]
Box = dict[str, float]

_SHORTEST = 4
"""The minimum length of a checked hidden text: shorter ones are parts of other words."""
_NEAR = 3.0
_NO_TEXT = {
    "id",
    "type",
    "role",
    "href",
    "url",
    "element",
    "selector",
    "tab_id",
    "timestamp",
    "src",
}


def wrong(page: Json, seen: Json) -> list[str]:
    """Return a sentence for each hidden text, wrong focus and wrong value in an answer."""
    return [*_hidden_texts(page, seen), *_wrong_focus(page, seen), *_wrong_values(page, seen)]


def unlike(answer: Json, page: Json) -> list[str]:
    """Return a sentence for each focus and value in an action's delta that the page does not have.

    ``page`` is an answer of `observe` after the action, in which `wrong` finds nothing.
    """
    there = {element["id"]: element for element in page["interactive"]}
    found = list[str]()
    for change in answer.get("delta", {}).get("changes", []):
        if change["type"] != "changed" or "element" not in change:
            continue
        name, now = change.get("element"), change.get("to")
        element = there.get(name, {"state": {}})
        if change["property"] == "value" and name in there and now != element.get("value"):
            found.append(f"{name} became {now!r}, and has {element.get('value')!r}")
        if change["property"] == "state.focused" and bool(now) != ("focused" in element["state"]):
            found.append(f"the focus of {name} became {now}, and is not so")
    return found


def _hidden_texts(page: Json, seen: Json) -> Iterator[str]:
    allowed = {_plain(text) for text in (*seen["shown"], *seen["allowed"])}
    allowed |= {_plain(str(field["value"])) for field in seen["fields"]}
    whole = _plain(" ".join(seen["shown"]))
    for text in {_plain(text) for text in seen["hidden"]}:
        if len(text) < _SHORTEST or text in whole or any(text in one for one in allowed):
            continue
        word = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")
        for place, string in _strings(page, ""):
            if word.search(_plain(string)):
                yield f"hidden text {text!r} in {place}: {string[:200]!r}"


def _strings(value: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for key, inner in cast("Json", value).items():
            if key not in _NO_TEXT:
                yield from _strings(inner, f"{place}.{key}")
    elif isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from _strings(inner, place)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _wrong_focus(page: Json, seen: Json) -> Iterator[str]:
    focused = [one for one in page["interactive"] if one.get("state", {}).get("focused")]
    if len(focused) > 1:
        yield f"{len(focused)} elements have the focus: {[one['id'] for one in focused]}"
    for element in focused:
        box = element.get("bounds")
        if box and not any(_touches(box, active) for active in seen["focus"]):
            yield f"the focus is not at {element['id']} {element['label']!r} but {seen['focus']}"


def _wrong_values(page: Json, seen: Json) -> Iterator[str]:
    for element in page["interactive"]:
        value, box = element.get("value"), element.get("bounds")
        if value is None or not box:
            continue
        fields = [field for field in seen["fields"] if _is_same(box, field)]
        if fields and not any(_agrees(value, field["value"]) for field in fields):
            yield f"{element['id']} has {value!r}, not {[field['value'] for field in fields]}"


def _agrees(value: Any, field: Any) -> bool:
    values = cast("list[object]", value) if isinstance(value, list) else [value]
    given = _plain(", ".join(map(str, values)))
    if isinstance(field, dict):
        chosen = cast("dict[str, list[str]]", field)
        return given in (_plain(", ".join(texts)) for texts in chosen.values())
    wanted = _plain(str(field))
    return given == wanted or (given.endswith("...") and wanted.startswith(given[:-3]))


def _is_same(one: Box, other: Box) -> bool:
    return all(abs(one[side] - other[side]) <= _NEAR for side in ("x", "y", "w", "h"))


def _touches(one: Box, other: Box) -> bool:
    """Return whether two boxes overlap: a label may stand for its control, a host for its field."""
    return all(
        one[at] <= other[at] + other[size] + _NEAR and other[at] <= one[at] + one[size] + _NEAR
        for at, size in (("x", "w"), ("y", "h"))
    )
