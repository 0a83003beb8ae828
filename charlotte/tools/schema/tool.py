"""The definition of tools by async functions, and the tools of one session."""

import difflib
import inspect
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Concatenate, Generic, Literal, get_args, get_origin, get_type_hints

import attrs
import cattrs
from typing_extensions import ParamSpec, TypeVar

from charlotte.answers.answer import Answer
from charlotte.base.errors import InvalidArgument, SessionProblem, ellipsize
from charlotte.config.config import Naming, ProfileName
from charlotte.config.setting import nearest
from charlotte.page.model import short_line
from charlotte.tools.schema.arguments import (
    Capability,
    Schema,
    TabId,
    Uses,
    explain,
    find_note,
    object_schema,
    public_name,
    reader,
    snake_case,
)

P = ParamSpec("P", default=...)
R = TypeVar("R", default=Any)
Handler = Callable[Concatenate[Any, P], Awaitable[Answer[R]]]
Blocked = Callable[[Any], Answer]
ArgumentCheck = Callable[[Mapping[str, Any]], None]

Group = Literal[
    "navigation",
    "observation",
    "interaction",
    "session",
    "dev_mode",
    "dialog",
    "evaluate",
    "monitoring",
]


@attrs.frozen(kw_only=True, eq=False)
class ToolOptions:
    """The part of a tool that its decorator defines; ``deadline`` is in seconds.

    ``title`` is for consent dialogs of clients. Tools are listed by ascending ``position``. A tool
    with ``tab`` works on one page. A tool that only reads the page, but ``writes`` files, runs
    scripts or clears lists, is not announced as read-only. A ``hidden`` tool can be called, but is
    never listed; one ``for_page_tools`` is listed only while a page of the session offers tools of
    its own. ``blocked`` returns the answer while a dialog blocks the page; without it, the call
    fails then. A tool that ``needs`` something is listed only if the server has it. ``check``
    raises `InvalidArgument` for arguments that exclude each other; it needs no page, so `batch`
    checks all steps first. ``words`` are the parameters that words of a command line fill first, if
    the order of the others is not natural there.
    """

    group: Group
    title: str = ""
    position: int = 900  # after all listed tools that declare one
    tab: bool = True
    read_only: bool = False
    writes: bool = False
    destructive: bool = False
    idempotent: bool = False
    open_world: bool = True
    hidden: bool = False
    for_page_tools: bool = False
    deadline: float = 30.0
    blocked: Blocked | None = None
    needs: Literal["dashboard"] | None = None
    check: ArgumentCheck | None = None
    uses: Capability | None = None
    words: Sequence[str] = ()

    def __call__(self, handler: Handler[P, R]) -> "Tool[P, R]":
        """Define a tool by an async function: first parameter the actor, the others the arguments.

        Names that are Python keywords or built-ins end in an underscore, which agents do not see.
        """
        return Tool(**attrs.asdict(self, recurse=False), handler=handler)


tool = ToolOptions

ACTION_DEADLINE = 90.0
"""Seconds for an action: above the sum of all waits for its element, its input and the page."""

action_tool = partial(ToolOptions, group="interaction", destructive=True, deadline=ACTION_DEADLINE)
observation_tool = partial(ToolOptions, group="observation", read_only=True)
session_tool = partial(ToolOptions, group="session", tab=False)
"""Decorators of tools that act on a page, read it, or work on the session."""


@attrs.frozen(kw_only=True, eq=False)
class Tool(ToolOptions, Generic[P, R]):
    """A tool as the dispatcher runs it and as clients see it.

    With ``tab``, `parse` returns ``tab_id`` with the handler's own arguments.
    """

    handler: Handler[P, R]

    @cached_property
    def name(self) -> str:
        """The name without the prefix of the session."""
        return public_name(self.handler.__name__)

    @cached_property
    def description(self) -> str:
        """The docstring on one line: line breaks would only cost tokens."""
        return " ".join((inspect.getdoc(self.handler) or "").split())

    @property
    def annotations(self) -> dict[str, bool]:
        """The hints of MCP that differ from MCP's defaults."""
        hints: dict[str, bool] = {}
        if self.read_only and not self.writes:
            hints["readOnlyHint"] = True
        else:
            if not self.destructive:
                hints["destructiveHint"] = False
            if self.idempotent:
                hints["idempotentHint"] = True
        if not self.open_world:
            hints["openWorldHint"] = False
        return hints

    @cached_property
    def actor(self) -> type[Any]:
        """The type of the handler's first parameter."""
        first = next(iter(inspect.signature(self.handler).parameters))
        actor: type[Any] = get_type_hints(self.handler)[first]
        return actor

    @cached_property
    def input_schema(self) -> Schema:
        """JSON Schema of the arguments; built on first use, to keep start-up fast."""
        return object_schema(self.arguments)

    @cached_property
    def short_schema(self) -> Schema:
        """The schema without rare parameters."""
        return object_schema(self.arguments, rare=False)

    @cached_property
    def arguments(self) -> type[attrs.AttrsInstance]:
        """A class with a field for every argument."""
        types = get_type_hints(self.handler, include_extras=True)
        _, *others = inspect.signature(self.handler).parameters.values()
        fields = {
            parameter.name: _field(types[parameter.name], parameter.default) for parameter in others
        }
        if self.tab:
            fields["tab_id"] = _field(TabId | None, None)
        # without slots, `vars` returns the handler's arguments without copying them
        return attrs.make_class(self.handler.__name__, fields, frozen=True, slots=False)

    def names_for_rules(self, arguments: Mapping[str, Any]) -> set[str]:
        """Return the names for rules about a call: the tool and the capabilities that it uses.

        A rule about ``evaluate`` is about all calls that run scripts.
        """
        marks = (
            find_note(field.type, Uses)
            for field in attrs.fields(self.arguments)
            if arguments.get(field.name)
        )
        used = {mark.capability for mark in marks if mark is not None}
        used |= {self.uses} if self.uses else set()
        return {self.name, *used, *(["evaluate"] if "scripts" in used else ())}

    @cached_property
    def returns(self) -> Any:
        """The type of the answers' values."""
        (value,) = get_args(get_type_hints(self.handler)["return"]) or (Any,)
        return value

    def value_of(self, answer: Answer) -> R:
        """Return the value of an answer.

        Raises `SessionProblem` if a dialog blocked the page, so that the answer has another type.
        """
        value: R = answer.value
        if self.returns is Any or isinstance(value, get_origin(self.returns) or self.returns):
            return value
        raise SessionProblem(
            f"A dialog opened during {self.name}: {ellipsize(answer.text, 300)}",
            "Answer it with dialog, then check the result of the call.",
        )

    def parse(self, raw: dict[str, Any], *, require_tab_id: bool = False) -> dict[str, Any]:
        """Return the handler's arguments with defaults; raises `InvalidArgument` for all problems.

        With ``tab``, they include ``tab_id``: ``"tab-3"``, or None for the active tab unless it is
        required.
        """
        try:
            arguments = vars(reader(self.arguments)(raw))
        except (cattrs.BaseValidationError, ValueError) as error:
            required = self.input_schema.get("required", ())
            names = [
                f"{name} (required)" if name in required else name
                for name in self.input_schema["properties"]
            ]
            advice = f"{self.name} takes {', '.join(names) or 'no parameters'}."
            if {"x", "y"} <= raw.keys() - self.input_schema["properties"].keys():
                advice += " To click at a point, use click_at."
            raise InvalidArgument(
                f"Invalid arguments for {self.name}: {explain(error)}", advice
            ) from None
        if self.check is not None:
            self.check(arguments)
        if require_tab_id and arguments.get("tab_id", "") is None:
            raise InvalidArgument(
                f"tab_id is required by {self.name}: this session is configured so.",
                "Pass an id that tabs lists, or call configure{require_tab_id: false}.",
            )
        return arguments


def _without_prefix(name: str) -> str:
    return re.sub(r"^(?:charlotte[_:])+", "", name)


def _field(hint: Any, default: Any) -> Any:
    required = default is inspect.Parameter.empty
    return attrs.field(type=hint, default=attrs.NOTHING if required else default, kw_only=True)


ALWAYS = frozenset({"tools"})
"""Tools that cannot be disabled: they enable the others."""

_TABS = {"tabs", "tab_open", "tab_switch", "tab_close", "batch"}
_BROWSE = {"navigation", "observation", "interaction", "dialog", "evaluate", "monitoring", *_TABS}
_AUDIT = {"navigation", "observation", "dialog", "monitoring", *_TABS, "viewport", "dev_audit"}

PROFILES: Mapping[ProfileName, tuple[set[str], set[str]]] = {
    "core": (
        {"navigate", "observe", "find", "click", "type", "submit", "page_tools", "page_tool_call"},
        set(),
    ),
    "browse": (_BROWSE, {"upload", "clipboard"}),
    "develop": ({*_BROWSE, "dev_mode", "viewport", "network"}, {"clipboard"}),
    "audit": (_AUDIT, set()),
    "full": (set(get_args(Group)), set()),
}
"""The groups and tools that a session lists at first, and the tools that are left out."""

PREFIXES: Mapping[Naming, str] = {"underscore": "charlotte_", "colon": "charlotte:", "bare": ""}


class UnknownTool(LookupError):
    """An unknown tool, or one that a strict profile leaves out; JSON-RPC error -32602."""


@attrs.frozen
class ListedTool:
    """A tool as ``tools/list`` shows it."""

    name: str
    title: str
    description: str
    input_schema: Schema
    annotations: dict[str, bool]


def by_group(tools: Iterable[Tool]) -> dict[str, list[Tool]]:
    """Return the tools that can be listed, by group."""
    groups: dict[str, list[Tool]] = {}
    for tool in tools:
        if not tool.hidden:
            groups.setdefault(tool.group, []).append(tool)
    return groups


class Toolbox:
    """The tools of one session: all sessions share ``tools``, each has its own enabled ones."""

    def __init__(
        self,
        tools: Sequence[Tool],
        *,
        profile: ProfileName,
        naming: Naming,
        strict_profile: bool = False,
        full_schemas: Collection[str] = (),
        acting: Collection[str] = (),
        available: Collection[str] = (),
    ) -> None:
        """List the tools of a profile.

        ``full_schemas`` are tools that are listed with their rare parameters, as all are in profile
        full. ``acting`` are tools that change something with them, though they are read-only.
        ``available`` is what the server has of the needs of tools.
        """
        self.tools = tuple(tools)
        self._missing = {tool.name for tool in tools if tool.needs not in {None, *available}}
        self._by_name = {tool.name: tool for tool in tools}
        self._prefix = PREFIXES[naming]
        self._strict = strict_profile
        names = self._by_name if profile == "full" else full_schemas
        self._full_schemas, self._acting = frozenset(names), frozenset(acting)
        listed, left_out = PROFILES[profile]
        named = {tool.name for tool in tools if tool.name in listed or tool.group in listed}
        self._enabled = named - left_out | ALWAYS
        self.has_page_tools = False

    @property
    def enabled(self) -> frozenset[str]:
        """The names of the enabled tools."""
        return frozenset(self._enabled)

    def restore(self, enabled: frozenset[str]) -> None:
        """Enable exactly these tools, as another toolbox had them."""
        self._enabled = set(enabled)

    def listed(self) -> list[ListedTool]:
        """Return the enabled tools in their order, under the names that clients call."""
        return [
            ListedTool(
                name=self._prefix + tool.name,
                title=tool.title,
                description=tool.description,
                input_schema=(
                    tool.input_schema if tool.name in self._full_schemas else tool.short_schema
                ),
                annotations={} if tool.name in self._acting else tool.annotations,
            )
            for tool in self.tools
            if tool.name in self._enabled - self._missing and not tool.hidden
            if self.has_page_tools or not tool.for_page_tools
        ]

    def find(self, name: str, *, listed_only: bool = True) -> Tool:
        """Return the tool called ``charlotte_x``, ``charlotte:x`` or ``x``, also in camelCase.

        Raises `UnknownTool`, with ``listed_only`` also for a tool that a strict profile leaves out.
        """
        bare = _without_prefix(name)
        tool = self._by_name.get(bare) or self._by_name.get(snake_case(bare))
        if tool is None:
            close = self._find_close(bare)
            suggestion = f"; did you mean {' or '.join(self._prefix + name for name in close)}?"
            raise UnknownTool(f"Unknown tool: {short_line(name)}{suggestion if close else ''}")
        if self._strict and listed_only and tool.name not in self._enabled:
            advice = f'tools{{"action": "enable", "group": "{tool.name}"}} enables it'
            raise UnknownTool(f"{tool.name} is disabled; {advice}")
        return tool

    def _find_close(self, bare: str) -> list[str]:
        """Return the names of tools like a name, with or without the first word of the name."""
        names = [tool.name for tool in self.tools if not tool.hidden]
        spelled = snake_case(short_line(bare))
        _, _, rest = spelled.partition("_")  # such as click of browser_click
        close = difflib.get_close_matches(spelled, names)
        return close or difflib.get_close_matches(rest, names)

    def groups(self) -> dict[str, dict[str, list[str]]]:
        """Return the names of the enabled and disabled tools of each group."""
        groups: dict[str, dict[str, list[str]]] = {}
        for group, tools in by_group(self.tools).items():
            for tool in tools:
                if tool.name in self._missing:
                    continue
                state = "enabled" if tool.name in self._enabled else "disabled"
                groups.setdefault(group, {}).setdefault(state, []).append(tool.name)
        return groups

    def enable(self, name: str) -> None:
        """List a tool, or all tools of a group. Raises `InvalidArgument` for an unknown name."""
        self._enabled |= self._names(name)

    def disable(self, name: str) -> None:
        """Remove a tool, or the tools of a group, from the list, except those always listed.

        Raises `InvalidArgument` for an unknown name.
        """
        self._enabled -= self._names(name) - ALWAYS

    def _names(self, name: str) -> set[str]:
        """Return the names of the tools of a group, or of one tool."""
        of_group = {tool.name for tool in self.tools if tool.group == name}
        if of_group:
            return of_group
        try:
            return {self.find(name, listed_only=False).name}
        except UnknownTool:
            known = [*get_args(Group), *(tool.name for tool in self.tools if not tool.hidden)]
            close = nearest(snake_case(short_line(_without_prefix(name))), known)
            raise InvalidArgument(
                f"group must be a group or a tool, got {short_line(name)!r}{close}.",
                f"Groups are {', '.join(get_args(Group))}; tools{{}} lists their tools.",
            ) from None
