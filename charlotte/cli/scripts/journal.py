"""The journal of a session: its actions as lines of a script that replays them.

Elements are written by role, name and context, because ids differ from session to session.
Passwords and secrets are written as variables, which a replay reads from the environment.
"""

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import attrs

from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.cli.scripts.descriptions import KINDS
from charlotte.cli.scripts.elements import TEXT_OF_ELEMENT, has_name
from charlotte.cli.scripts.words import quote
from charlotte.page.identity.references import is_reference
from charlotte.page.model import Element, PageView, decimal
from charlotte.tools.answer import Answer, Page
from charlotte.tools.batch import Prepared
from charlotte.tools.schema.arguments import public_name
from charlotte.tools.schema.tool import Tool

_MOST = 2000
"""Lines that are kept."""

_OMITTED = {"detail", "tab_id", "wait_after_action"}
_NOT_RECORDED = {"batch", "run", "tools", "ask_person"}
"""Tools whose calls make other calls, or cannot be repeated."""

_TYPED = {"type", "key", "fill_form", "clipboard"}
"""Tools whose private arguments are typed texts; those of others have credentials."""

_SECRET = re.compile(r"<secret>([A-Za-z_]\w*)</secret>")


@attrs.frozen
class Entry:
    """A call as lines of a script, without its tab.

    ``tab`` is the tab that it worked on, ``active`` the active tab after it, and ``opened`` are the
    tabs that the page opened.
    """

    tool: str
    lines: Sequence[str]
    tab: str | None
    active: str | None
    opened: Sequence[str] = ()


@attrs.define(eq=False)
class Journal:
    """The last actions of a session."""

    _record: SessionRecord
    _entries: deque[Entry] = attrs.field(factory=lambda: deque[Entry](maxlen=_MOST))
    _count: int = 0
    _needed: dict[str, None] = attrs.field(factory=dict[str, None])

    def begin(self, prepared: Prepared) -> Callable[[Answer], object] | None:
        """Write a call that changes something; return a function that adds it to the journal."""
        tool = prepared.tool
        is_action = not tool.read_only or tool.name == "wait_for"
        if tool.hidden or not is_action or tool.name in _NOT_RECORDED:
            return None
        if prepared.arguments.get("expression") == TEXT_OF_ELEMENT:
            return None  # a script reads a text
        before = frozenset(self._record.tabs)
        tab = self._record.tabs.get(prepared.tab_id or self._record.active or "")
        lines = list(self._write(prepared, tab))

        def add(answer: Answer) -> None:
            self._add(prepared, lines, tab, before, answer)

        return add

    def _add(
        self,
        prepared: Prepared,
        lines: Sequence[str],
        tab: TabRecord | None,
        before: frozenset[str],
        answer: Answer,
    ) -> None:
        tool, record = prepared.tool, self._record
        worked_on = tab.id if tab is not None else record.active
        if tool.name == "tab_open" and isinstance(answer.value, Page):
            worked_on = answer.value.tab_id
        elif named := prepared.arguments.get("tab_id"):
            worked_on = str(named)
        new = [each for name, each in record.tabs.items() if name not in before]
        opened = [each.id for each in new if tab is not None and each.opener is tab]
        self._entries.append(Entry(tool.name, lines, worked_on, record.active, opened))
        self._count += 1

    def write(self) -> str:
        """Return the actions as a script."""
        lines = ["# The actions of a session, for 'charlotte script'."]
        if self._needed:
            lines.append(f"# Set in the environment: {', '.join(self._needed)}")
        if more := self._count - len(self._entries):
            lines.append(f"# {more} earlier actions are not kept.")
        return "\n".join([*lines, *_Tabs(list(self._entries)).write()])

    # ------------------------------------------------------------------------ lines of a call

    def _write(self, prepared: Prepared, tab: TabRecord | None) -> Iterator[str]:
        """Yield the lines of a call."""
        tool, values = prepared.tool, dict[str, Any]()
        for name, default, mark in tool.audited:
            value, public = prepared.arguments.get(name), public_name(name)
            if value is None or value == default or public in _OMITTED:
                continue
            if mark is not None and tool.name not in _TYPED:
                yield f"# {tool.name}: {public} is left out, because it can have credentials"
                return
            values[public] = value
        writer = _Writer(self._record, tab, self._needed)
        yield from writer.write(tool, values)


@attrs.frozen(eq=False)
class _Writer:
    """Writes arguments; ``needed`` collects the variables of secrets."""

    record: SessionRecord
    tab: TabRecord | None
    needed: dict[str, None]

    def write(self, tool: Tool, values: dict[str, Any]) -> Iterator[str]:
        """Yield the lines of a call."""
        if tool.name == "fill_form":
            yield from self._fill_form(values)
            return
        if tool.name == "tab_open" and "from" in values:
            for reference in values["from"]:
                yield f"tab_open from={self._element(reference)}"
            return
        if tool.name == "key" and _types_text(values) and self._password(values) is not None:
            yield "# key: left out, because it can be part of a password"
            return
        required = {*tool.input_schema.get("required", ())}
        order = dict.fromkeys((*tool.words, *values))
        parts = [tool.name]
        for name in order:
            if name not in values or name == "tab_id":
                continue
            is_plain = name in required or name in tool.words or name in {"url", "key"}
            parts.append(self._argument(name, values[name], values, named=not is_plain))
        yield " ".join(parts)

    def _argument(self, name: str, value: Any, values: Mapping[str, Any], *, named: bool) -> str:
        prefix = f"{name}=" if named else ""
        if name.endswith("_id") and isinstance(value, str) and is_reference(value):
            return prefix + self._element(value)
        if name in {"text", "html"}:
            return prefix + self._typed(value, values)
        return prefix + self._value(value)

    def _fill_form(self, values: Mapping[str, Any]) -> Iterator[str]:
        """Yield a line for the fields with one value, and one for each field with a list."""
        pairs = list[str]()
        for field in values["fields"]:
            element = self._element(field.element_id)
            value: Any = field.value
            if isinstance(value, list):
                known = self._find(field.element_id)
                tool = "upload" if known is not None and known.type == "file_input" else "select"
                texts = cast("list[str]", value)
                yield " ".join([tool, element, *map(self._value, texts)])
                continue
            pairs.append(f"{element}={self._typed(value, {'element_id': field.element_id})}")
        if pairs:
            yield " ".join(
                ["fill_form", *pairs, *(["submit=true"] if values.get("submit") else [])]
            )

    def _typed(self, value: Any, values: Mapping[str, Any]) -> str:
        """Return a text that a call types; a variable for passwords."""
        if isinstance(value, str) and value in self.record.settings.secrets.names:
            return self._variable(value)
        if isinstance(value, str) and (label := self._password(values)) is not None:
            name = re.sub(r"\W+", "_", label, flags=re.ASCII).strip("_").upper() or "PASSWORD"
            return self._variable(name if name[0].isalpha() else f"PASSWORD_{name}")
        return self._value(value)

    def _password(self, values: Mapping[str, Any]) -> str | None:
        """Return the label of the password field into which a call may type; None without one.

        If its field is not known, that is any password field of the page.
        """
        if self._view is None:
            return ""
        reference = values.get("element_id")
        element = self._find(reference) if reference else self._focused()
        is_elsewhere = "x" in values or values.get("action") == "write"
        is_known = element is not None and not is_elsewhere
        fields = [element] if is_known else self._view.interactive
        return next((one.label for one in fields if one is not None and one.is_password), None)

    def _variable(self, name: str) -> str:
        self.needed[name] = None
        return f'"${{{name}}}"'

    def _value(self, value: Any) -> str:
        """Return a value as a script has it, with secrets as variables."""
        match value:
            case bool():
                return "true" if value else "false"
            case int() | float():
                return decimal(value)
            case str():
                return self._text(value)
            case _:
                text = json.dumps(_plain(value), ensure_ascii=False)
                return self._text(text)

    def _text(self, text: str) -> str:
        hidden = quote(self.record.hidden(text))
        self.needed.update(dict.fromkeys(_SECRET.findall(hidden)))
        return _SECRET.sub(r"${\1}", hidden)

    # ------------------------------------------------------------------------ elements

    @property
    def _view(self) -> PageView | None:
        return self.tab.delivered if self.tab is not None else None

    def _find(self, reference: str) -> Element | None:
        elements = self._view.interactive if self._view is not None else ()
        named = self.tab.refs.find(reference) if self.tab is not None else None
        if named is None:
            return next((one for one in elements if one.id == reference), None)
        found = [one for one in elements if (one.role, one.label) == (named.role, named.name)]
        return found[0] if len(found) == 1 else None

    def _focused(self) -> Element | None:
        elements = self._view.interactive if self._view is not None else ()
        return next((one for one in elements if one.state.get("focused")), None)

    def _element(self, reference: str) -> str:
        """Return the description of an element; its id if nothing is known about it."""
        element = self._find(reference)
        if element is not None and self._view is not None:
            return self._describe(element, self._view)
        if self.tab is None:
            return reference
        shown = self.tab.ids.get_last_shown(reference) or self.tab.refs.find(reference)
        if shown is not None and shown.role in KINDS:
            return f"{shown.role} {self._text(shown.name)}"
        match = self.tab.dom.find(reference)
        if match is not None and match.role in KINDS:
            return f"{match.role} {self._text(match.text)}"
        return reference

    def _describe(self, element: Element, view: PageView) -> str:
        """Return kind and name of an element; with context if others have the same."""
        name = self._text(element.label)
        kind = element.type
        twins = [
            one for one in view.interactive if one.type == kind and has_name(one, element.label)
        ]
        if element.role in KINDS - {"generic"} and kind not in {"date_input", "textarea"}:
            kind = element.role
        described = f"{kind} {name}"
        if len(twins) == 1:
            return described
        if (near := _unique_part(element, twins)) is not None:
            return f"{described} near {self._text(near)}"
        if (landmark := _unique_landmark(element, twins, view)) is not None:
            return f"{described} in {landmark[0]} {self._text(landmark[1])}"
        return f"{described} #{twins.index(element) + 1}"


def _types_text(values: Mapping[str, Any]) -> bool:
    """Return whether keys are characters, and not only shortcuts such as Enter or Control+a."""
    keys = [values.get("key", ""), *values.get("keys", ())]
    is_shortcut = not {"ctrl", "alt", "meta"}.isdisjoint(values.get("modifiers", ()))
    return not is_shortcut and any(len(key.removeprefix("Shift+")) == 1 for key in keys)


def _unique_part(element: Element, twins: Sequence[Element]) -> str | None:
    """Return the first words near an element that no other of the twins has near it."""
    words = (element.near or "").split()
    others = [(one.near or "").casefold() for one in twins if one is not element]
    for count in range(1, len(words) + 1):
        part = " ".join(words[:count])
        if part in (element.near or "") and not any(part.casefold() in other for other in others):
            return part
    return None


def _unique_landmark(
    element: Element, twins: Sequence[Element], view: PageView
) -> tuple[str, str] | None:
    """Return role and name of the landmark around an element, if that makes it unique."""
    if element.landmark < 0:
        return None
    landmark = view.landmarks[element.landmark]
    same_name = [one for one in view.landmarks if one.name == landmark.name]
    inside = [one for one in twins if one.landmark == element.landmark]
    if not landmark.name or len(same_name) > 1 or len(inside) > 1 or landmark.role not in KINDS:
        return None
    return landmark.role, landmark.name


def _plain(value: Any) -> Any:
    """Return a parsed argument as JSON."""
    kind = cast("type[attrs.AttrsInstance]", type(value))
    if attrs.has(kind):
        members = attrs.asdict(value, recurse=False)
        return {public_name(name): _plain(one) for name, one in members.items() if one is not None}
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value)
        return {name: _plain(one) for name, one in entries.items()}
    if isinstance(value, list | tuple):
        items = cast("list[Any]", value)
        return [_plain(one) for one in items]
    return value


# ---------------------------------------------------------------------------- tabs


@attrs.define
class _Tabs:
    """Writes entries with variables for tabs, as far as several tabs were used."""

    _entries: Sequence[Entry]
    _names: dict[str, str] = attrs.field(factory=dict[str, str])
    _active: str | None = None

    def write(self) -> Iterator[str]:
        """Yield the lines of all entries."""
        used = {entry.tab for entry in self._entries} | {
            name for entry in self._entries for name in entry.opened
        }
        if len(used) < 2:  # noqa: PLR2004 - one tab needs no name
            for entry in self._entries:
                yield from entry.lines
            return
        for entry in self._entries:
            yield from self._write(entry)

    def _write(self, entry: Entry) -> Iterator[str]:
        line = list(entry.lines)
        if entry.tool == "tab_open" and entry.tab is not None and len(line) == 1:
            line[0] = f"{self._name(entry.tab)} = {line[0]}"
        elif entry.tool in {"tab_switch", "tab_close"} and entry.tab in self._names:
            line = [f"{entry.tool} ${self._names[entry.tab]}"]
        elif entry.tab in self._names and entry.tab != self._active:
            line = [f"{one} tab_id=${self._names[entry.tab]}" for one in line]
        yield from line
        if entry.tool == "tab_close":
            self._active = entry.active if entry.tab == self._active else self._active
        elif entry.tool in {"tab_open", "tab_switch"} or self._active is None:
            self._active = entry.tab
        if entry.tab is not None and entry.tab == self._active and entry.tab not in self._names:
            yield f"{self._name(entry.tab)} = tab"
        for opened in entry.opened:
            yield f"{self._name(opened)} = opened tab"

    def _name(self, tab: str) -> str:
        return self._names.setdefault(tab, f"tab_{len(self._names) + 1}")
