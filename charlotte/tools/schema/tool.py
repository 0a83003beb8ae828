"""The definition of a tool: an async function, and all that its signature and docstring define."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from typing import (
    Annotated,
    Any,
    Concatenate,
    Generic,
    Literal,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import attrs
import cattrs
from typing_extensions import ParamSpec, TypeVar

from charlotte.errors import InvalidArgument, SessionProblem
from charlotte.tools.answer import Answer, Text
from charlotte.tools.schema.arguments import explain, reader, tab_name
from charlotte.tools.schema.json_schema import Lenient, Schema, object_schema, public_name

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

_LAST = 900
"""The position of a tool that declares none: after all listed tools that do."""

_QUOTE = 300

TabId = Annotated[str, Lenient(tab_name)]


@attrs.frozen(kw_only=True, eq=False)
class ToolOptions:
    """The part of a tool that its decorator defines; ``deadline`` is in seconds.

    Tools are listed by ascending ``position``. A tool with ``tab`` works on one page. A ``hidden``
    tool can be called, but is never listed. ``hints`` describe the replacement of a parameter that
    does not exist: ``{"x": "click_at …"}``. ``blocked`` returns the answer while a dialog blocks
    the page; without it, the call fails then. ``check`` raises `InvalidArgument` for arguments
    that exclude each other; it needs no page, so `batch` checks all steps first.
    """

    group: Group
    position: int = _LAST
    tab: bool = True
    read_only: bool = False
    destructive: bool = False
    open_world: bool = True
    hidden: bool = False
    deadline: float = 30.0
    hints: Mapping[str, str] = attrs.field(factory=dict[str, str])
    blocked: Blocked | None = None
    check: ArgumentCheck | None = None

    def __call__(self, handler: Handler[P, R]) -> "Tool[P, R]":
        """Define a tool by an async function: first parameter the actor, the others the arguments.

        Names that are Python keywords or built-ins end in an underscore, which agents do not see.
        """
        return Tool(**attrs.asdict(self, recurse=False), handler=handler)


tool = ToolOptions


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

    @cached_property
    def actor(self) -> type[Any]:
        """The type of the handler's first parameter."""
        first = next(iter(inspect.signature(self.handler).parameters))
        actor: type[Any] = get_type_hints(self.handler)[first]
        return actor

    @cached_property
    def input_schema(self) -> Schema:
        """JSON Schema of the arguments; built on first use, to keep start-up fast."""
        return object_schema(self._arguments)

    @cached_property
    def _arguments(self) -> type[attrs.AttrsInstance]:
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

    @cached_property
    def _read(self) -> Callable[[Any], object]:
        return reader(self._arguments)

    @cached_property
    def returns(self) -> Any:
        """The type of the answers' values."""
        (value,) = get_args(get_type_hints(self.handler)["return"]) or (Any,)
        return value

    def value_of(self, answer: Answer) -> R:
        """Return the value of an answer.

        Raises `SessionProblem` if a dialog blocked the page, so that the answer has another type.
        """
        value = answer.value
        if self.returns is Any or isinstance(value, get_origin(self.returns) or self.returns):
            return cast("R", value)
        text = "".join(block.text for block in answer.blocks if isinstance(block, Text))
        raise SessionProblem(
            f"A dialog opened during {self.name}: {text[:_QUOTE]}",
            "Answer it with dialog, then check the result of the call.",
        )

    def parse(self, raw: dict[str, Any], *, require_tab_id: bool = False) -> dict[str, Any]:
        """Return the handler's arguments with defaults; raises `InvalidArgument` for all problems.

        With ``tab``, they include ``tab_id``: ``"tab-3"``, or None for the active tab unless it is
        required.
        """
        try:
            arguments = vars(self._read(raw))
        except (cattrs.BaseValidationError, ValueError) as error:
            problems = explain(error, self.hints)
            required = self.input_schema.get("required", ())
            names = [
                f"{name} (required)" if name in required else name
                for name in self.input_schema["properties"]
            ]
            raise InvalidArgument(
                f"Invalid arguments for {self.name}: {problems}",
                f"{self.name} takes {', '.join(names) or 'no parameters'}.",
            ) from None
        if self.check is not None:
            self.check(arguments)
        if require_tab_id and arguments.get("tab_id", "") is None:
            raise InvalidArgument(
                f"tab_id is required by {self.name}: this session is configured so.",
                "Pass an id that tabs lists, or call configure{require_tab_id: false}.",
            )
        return arguments


def _field(hint: Any, default: Any) -> Any:
    required = default is inspect.Parameter.empty
    return attrs.field(type=hint, default=attrs.NOTHING if required else default, kw_only=True)
