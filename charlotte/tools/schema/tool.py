"""Owns what a tool is: an async function, and everything that can be read off its signature."""

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
from charlotte.tools.schema.names import spelled
from charlotte.tools.schema.problems import explain

P = ParamSpec("P", default=...)
R = TypeVar("R", default=Any)
Handler = Callable[Concatenate[Any, P], Awaitable[Answer[R]]]
Blocked = Callable[[Any], Answer]
Check = Callable[[Mapping[str, Any]], None]

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
_QUOTE = 300

TabId = Annotated[str, Lenient(tab_name)]


@attrs.frozen(kw_only=True, eq=False)
class Tool(Generic[P, R]):
    """A tool as the dispatcher runs it and as clients see it.

    ``actor`` is the type of the handler's first parameter, ``deadline`` is in seconds. With
    ``tab`` it works on one page, and `parse` gives ``tab_id`` beside the handler's own arguments.
    A ``hidden`` tool answers, but is never listed. ``blocked`` answers in its place while a dialog
    blocks the page; a tool without is refused then. ``check`` raises `InvalidArgument` for
    arguments that do not go together; it needs no page, so `batch` applies it to all steps first.
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
    check: Check | None

    @cached_property
    def input_schema(self) -> Schema:
        """JSON Schema of the arguments; made when it is first asked for, as start-up counts."""
        return object_schema(self._arguments)

    @cached_property
    def _arguments(self) -> type[attrs.AttrsInstance]:
        return _arguments(self.handler, tab=self.tab)

    @cached_property
    def _read(self) -> Callable[[Any], object]:
        return reader(self._arguments)

    @cached_property
    def returns(self) -> Any:
        """The type of its answers' values."""
        (value,) = get_args(get_type_hints(self.handler)["return"]) or (Any,)
        return value

    def value_of(self, answer: Answer) -> R:
        """What an answer is for programs.

        Raises `SessionProblem` for the answer that a dialog gave in the tool's place.
        """
        value = answer.value
        if self.returns is Any or isinstance(value, get_origin(self.returns) or self.returns):
            return cast("R", value)
        text = "".join(block.text for block in answer.blocks if isinstance(block, Text))
        raise SessionProblem(
            f"A dialog opened while {self.name} was at work: {text[:_QUOTE]}",
            "Answer it with dialog, then see what came of the call.",
        )

    def parse(self, raw: dict[str, Any]) -> dict[str, Any]:
        """Every argument of the handler, defaults included; `InvalidArgument` says all problems.

        With ``tab``, also ``tab_id``: ``"tab-3"``, or None for the active tab.
        """
        try:
            arguments = vars(self._read(raw))
        except (cattrs.BaseValidationError, ValueError) as error:
            problems = explain(error, self.hints)
            message = f"Invalid arguments for {self.name}: {problems}"
            raise InvalidArgument(message, self._usage()) from None
        if self.check is not None:
            self.check(arguments)
        return arguments

    def _usage(self) -> str:
        required = self.input_schema.get("required", ())
        names = [
            f"{name} (required)" if name in required else name
            for name in self.input_schema["properties"]
        ]
        return f"{self.name} takes {', '.join(names) or 'no parameters'}."


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
    check: Check | None = None,
) -> Callable[[Handler[P, R]], Tool[P, R]]:
    """Make a tool of an async function: first parameter the actor, the others the arguments.

    Names that Python would not like end in an underscore, which agents do not see. ``hints`` says
    what to do instead of giving a parameter that this tool does not have: ``{"x": "click_at …"}``.
    Tools are listed by ascending ``position``.
    """

    def define(handler: Handler[P, R]) -> Tool[P, R]:
        return Tool(
            name=spelled(handler.__name__),
            description=_description(handler),
            group=group,
            position=position,
            actor=_actor(handler),
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


def _actor(handler: Handler) -> type:
    first = next(iter(inspect.signature(handler).parameters))
    actor: type = get_type_hints(handler)[first]
    return actor


def _arguments(handler: Handler, *, tab: bool) -> type[attrs.AttrsInstance]:
    """Return a class with a field for every argument."""
    types = get_type_hints(handler, include_extras=True)
    _, *others = inspect.signature(handler).parameters.values()
    fields = {
        parameter.name: _field(types[parameter.name], parameter.default) for parameter in others
    }
    if tab:
        fields["tab_id"] = _field(TabId | None, None)
    # without slots, `vars` is the arguments as the handler takes them, at no cost
    return attrs.make_class(handler.__name__, fields, frozen=True, slots=False)


def _field(hint: Any, default: Any) -> Any:
    required = default is inspect.Parameter.empty
    return attrs.field(type=hint, default=attrs.NOTHING if required else default, kw_only=True)


def _description(handler: Handler) -> str:
    """Join the docstring's lines and paragraphs: breaks there only cost tokens."""
    return " ".join((inspect.getdoc(handler) or "").split())
