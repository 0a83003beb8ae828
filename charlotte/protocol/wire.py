"""Conversion of CDP's camelCase JSON from and to typed records, by cattrs."""

from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar, dataclass_transform, get_args

import attrs
from cattrs import Converter, override
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn

R = TypeVar("R")


@attrs.frozen
class Nothing:
    """The empty reply."""


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(attrs.field,))
class Command(Generic[R]):
    """A CDP command as a value, an attrs class; the reply of a ``Command[X]`` is an ``X``.

    With ``result``, the browser sends the ``X`` under that key.
    """

    method: ClassVar[str]
    returns: ClassVar[type[Any]]
    result: ClassVar[str | None]

    def __init_subclass__(cls, *, method: str, result: str | None = None) -> None:
        super().__init_subclass__()
        (base,) = cls.__dict__["__orig_bases__"]
        (cls.returns,) = get_args(base)
        cls.method, cls.result = method, result
        attrs.frozen(cls, kw_only=True, slots=False)


def bare_command(command: str) -> type[Command[Nothing]]:
    """Return a command without parameters whose reply is empty, by its method."""

    class BareCommand(Command[Nothing], method=command):
        pass

    return BareCommand


@dataclass_transform(frozen_default=True, field_specifiers=(attrs.field,))
class CdpEvent:
    """A CDP event as a value, an attrs class."""

    method: ClassVar[str]

    def __init_subclass__(cls, *, method: str) -> None:
        super().__init_subclass__()
        cls.method = method
        attrs.frozen(cls, slots=False)


_CAPITALS = {"api": "API"}


def camel(name: str) -> str:
    """Convert ``ignore_cache`` to ``ignoreCache``."""
    head, *tail = name.rstrip("_").split("_")
    return head + "".join(_CAPITALS.get(part) or part.title() for part in tail)


def _renames(cls: type[Any]) -> dict[str, Any]:
    """Map the fields of ``cls`` to their CDP names."""
    return {field.name: override(rename=camel(field.name)) for field in attrs.fields(cls)}


def _structure(cls: type[Any], converter: Converter) -> Any:
    attrs.resolve_types(cls)
    return make_dict_structure_fn(
        cls, converter, _cattrs_detailed_validation=False, **_renames(cls)
    )


def _unstructure(cls: type[Any], converter: Converter) -> Callable[[Any], dict[str, Any]]:
    whole = make_dict_unstructure_fn(cls, converter, **_renames(cls))

    def without_absent(record: Any) -> dict[str, Any]:
        return {name: value for name, value in whole(record).items() if value is not None}

    return without_absent


wire = Converter(detailed_validation=False)
wire.register_structure_hook_factory(attrs.has, _structure)
wire.register_unstructure_hook_factory(attrs.has, _unstructure)
