"""What calls of the console say, in the words and the order of DevTools."""

from collections.abc import Iterable, Sequence

import attrs

from charlotte.actors.monitors.console_values import entry_cells, property_value, written
from charlotte.protocol.runtime import (
    ConsoleApiCalled,
    EntryPreview,
    ObjectPreview,
    PropertyPreview,
    RemoteObject,
    StackTrace,
)

_INDENT = "  "
_DEEPEST = 20
_MORE = "…"
_OURS = "", "apply"
"""Where a call passes through the probe."""


@attrs.define
class Groups:
    """The groups of lines that are open on a console."""

    _open: int = 0

    @property
    def indent(self) -> str:
        """What a line begins with."""
        return _INDENT * min(self._open, _DEEPEST)

    def note(self, call: ConsoleApiCalled) -> None:
        """Open or close a group, once its own line is written."""
        match call.type:
            case "startGroup" | "startGroupCollapsed":
                self._open += 1
            case "endGroup":
                self._open = max(self._open - 1, 0)
            case "clear":
                self.close()
            case _:
                pass

    def close(self) -> None:
        """Close all: there is another document, or nobody knows any more."""
        self._open = 0


def said(call: ConsoleApiCalled) -> str:
    """The text of a call."""
    match call:
        case ConsoleApiCalled("table", [RemoteObject(preview=ObjectPreview() as shown), *_]) if (
            shown.entries or shown.properties
        ):
            return _table(shown)
        case ConsoleApiCalled("assert"):
            return f"Assertion failed: {written(call.args)}"
        case ConsoleApiCalled("trace"):
            return "\n".join([written(call.args), *_frames(call.stack_trace)])
        case ConsoleApiCalled("clear"):
            return "Console was cleared"
        case _:
            return written(call.args)


def _frames(stack: StackTrace | None) -> Iterable[str]:
    frames = stack.call_frames if stack else []
    through_us = bool(frames) and (frames[0].url, frames[0].function_name) == _OURS
    for frame in frames[through_us:]:
        place = f"{frame.url}:{frame.line_number + 1}:{frame.column_number + 1}"
        yield (
            f"    at {frame.function_name} ({place})" if frame.function_name else f"    at {place}"
        )


def _table(shown: ObjectPreview) -> str:
    """A header and a row for each entry or property; a value that has no columns is one."""
    lines = _entries(shown.entries) if shown.entries else _rows(shown.properties)
    told = [" | ".join(line).rstrip() for line in lines]
    return "\n".join([*told, _MORE] if shown.overflow else told)


def _entries(entries: Sequence[EntryPreview]) -> list[list[str]]:
    keys = ["Key"] if any(one.key for one in entries) else []
    rows = [entry_cells(one) for one in entries]
    return [
        ["(iteration index)", *keys, "Value"],
        *([f"{number}", *cells] for number, cells in enumerate(rows)),
    ]


def _rows(properties: Sequence[PropertyPreview]) -> list[list[str]]:
    cells = [(one.name, _columns(one)) for one in properties]
    names = dict.fromkeys(name for _, row in cells for name in row)
    last = ["Value"] if any(one.value_preview is None for one in properties) else []
    lines = [["(index)", *names, *last]]
    for one, (index, row) in zip(properties, cells, strict=True):
        alone = property_value(one) if one.value_preview is None else ""
        lines.append([index, *(row.get(name, "") for name in names), *([alone] if last else [])])
    return lines


def _columns(one: PropertyPreview) -> dict[str, str]:
    inner = one.value_preview.properties if one.value_preview else ()
    return {each.name: property_value(each) for each in inner}
