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
from charlotte.tools.schema.arguments import reader, tab_name
from charlotte.tools.schema.json_schema import Lenient, Schema, object_schema
from charlotte.tools.schema.names import public_name
from charlotte.tools.schema.problems import explain

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
class Tool(Generic[P, R]):
    """A tool as the dispatcher runs it and as clients see it.

    ``actor`` is the type of the handler's first parameter, ``deadline`` is in seconds. A tool with
    ``tab`` works on one page, and `parse` returns ``tab_id`` with the handler's own arguments. A
    ``hidden`` tool can be called, but is never listed. ``blocked`` returns the answer while a
    dialog blocks the page; without it, the call fails then. ``check`` raises `InvalidArgument` for
    arguments that exclude each other; it needs no page, so `batch` checks all steps first.
    """

    name: str
    description: str
    group: Group
    position: int
    actor: type
    handler: Handler[P, R]
    tab: bool
    read_only: bool
    destructive: bool
    open_world: bool
    hidden: bool
    deadline: float
    hints: Mapping[str, str]
    blocked: Blocked | None
    check: ArgumentCheck | None

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
            message = f"Invalid arguments for {self.name}: {problems}"
            raise InvalidArgument(message, self._usage()) from None
        if self.check is not None:
            self.check(arguments)
        if require_tab_id and arguments.get("tab_id", "") is None:
            raise InvalidArgument(
                f"tab_id is required by {self.name}: this session is configured so.",
                "Pass an id that tabs lists, or call configure{require_tab_id: false}.",
            )
        return arguments

    def _usage(self) -> str:
        required = self.input_schema.get("required", ())
        names = [
            f"{name} (required)" if name in required else name
            for name in self.input_schema["properties"]
        ]
        return f"{self.name} takes {', '.join(names) or 'no parameters'}."


def _field(hint: Any, default: Any) -> Any:
    required = default is inspect.Parameter.empty
    return attrs.field(type=hint, default=attrs.NOTHING if required else default, kw_only=True)


def tool(
    *,
    group: Group,
    position: int = _LAST,
    tab: bool = True,
    read_only: bool = False,
    destructive: bool = False,
    open_world: bool = True,
    hidden: bool = False,
    deadline: float = 30.0,
    hints: Mapping[str, str] | None = None,
    blocked: Blocked | None = None,
    check: ArgumentCheck | None = None,
) -> Callable[[Handler[P, R]], Tool[P, R]]:
    """Define a tool by an async function: first parameter the actor, the others the arguments.

    Names that are Python keywords or built-ins end in an underscore, which agents do not see.
    ``hints`` describe the replacement of a parameter that does not exist: ``{"x": "click_at …"}``.
    Tools are listed by ascending ``position``.
    """

    def define(handler: Handler[P, R]) -> Tool[P, R]:
        types = get_type_hints(handler)
        return Tool(
            name=public_name(handler.__name__),
            # line breaks would only cost tokens
            description=" ".join((inspect.getdoc(handler) or "").split()),
            group=group,
            position=position,
            actor=types[next(iter(inspect.signature(handler).parameters))],
            handler=handler,
            tab=tab,
            read_only=read_only,
            destructive=destructive,
            open_world=open_world,
            hidden=hidden,
            deadline=deadline,
            hints=hints or {},
            blocked=blocked,
            check=check,
        )

    return define
