"""Makes a typed method of a tool: parameters, defaults and result are those of its definition."""

import functools
import inspect
from collections.abc import Callable, Coroutine, Mapping
from pathlib import PurePath
from typing import Any, Generic, ParamSpec, Protocol, Self, TypeVar, overload

import cattrs

from charlotte.tools.names import spelled
from charlotte.tools.tool import Tool

P = ParamSpec("P")
R = TypeVar("R")

_converter = cattrs.Converter()
_converter.register_unstructure_hook(PurePath, str)


class Runner(Protocol):
    """What tools can be run on."""

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        """Run a tool; return the value of its answer, raise its `CharlotteError`."""
        ...


class Method(Generic[P, R]):
    """A tool as a method of a `Runner`."""

    def __init__(self, tool: Tool[P, R]) -> None:
        self.tool = tool
        self.__doc__ = tool.description

    @overload
    def __get__(self, runner: None, owner: type) -> Self: ...
    @overload
    def __get__(self, runner: Runner, owner: type) -> Callable[P, Coroutine[Any, Any, R]]: ...
    def __get__(
        self, runner: Runner | None, owner: type
    ) -> Self | Callable[P, Coroutine[Any, Any, R]]:
        """Return what calls the tool on ``runner``."""
        if runner is None:
            return self

        async def call(*args: P.args, **kwargs: P.kwargs) -> R:
            given = self.signature.bind(*args, **kwargs).arguments
            return await runner.run_tool(self.tool, _as_json(given))

        call.__name__ = self.tool.name
        call.__doc__ = self.tool.description
        vars(call)["__signature__"] = self.signature
        return call

    @functools.cached_property
    def signature(self) -> inspect.Signature:
        """What editors and ``help`` show."""
        whole = inspect.signature(self.tool.handler)
        _, *parameters = whole.parameters.values()
        return whole.replace(parameters=parameters, return_annotation=self.tool.returns)


def _as_json(given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments as an agent would give them."""
    return {
        spelled(name): _converter.unstructure(value)
        for name, value in given.items()
        if value is not None
    }
