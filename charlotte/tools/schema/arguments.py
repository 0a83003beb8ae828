"""Types of arguments: their JSON Schema, and how values are read from JSON.

Reading is lenient about spellings and strict about types; one message has every problem. A reader
is compiled once per class from the types of its fields.
"""

import difflib
import functools
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin

import attrs
import cattrs
from cattrs.cols import (
    list_structure_factory,
    mapping_structure_factory,  # pyright: ignore[reportUnknownVariableType]  # in cattrs itself
)
from cattrs.errors import AttributeValidationNote, IterableValidationNote
from cattrs.gen import make_dict_structure_fn

from charlotte.browser.input.input import Modifier, modifier_named
from charlotte.config.config import LENGTHS
from charlotte.page.identity.references import get_reference_form
from charlotte.page.model import DECIMAL, SHOWN, Detail, PageDetail, decimal, short_json, short_line

Schema = dict[str, Any]
N = TypeVar("N")

SIMPLE_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}

JSON_TYPES = {**SIMPLE_TYPES, list: "array", dict: "object"}
PHRASES = {name: f"{'an' if name[0] in 'aio' else 'a'} {name}" for name in JSON_TYPES.values()}

LONGEST_DEFAULT = 20
"""Characters of JSON; a longer default is left out of the schema."""


def public_name(name: str) -> str:
    """Return the name that agents see of a Python name such as ``type_``."""
    return name.rstrip("_")


def camel_case(name: str) -> str:
    """Convert ``element_id`` to ``elementId``."""
    head, *rest = name.split("_")
    return head + "".join(map(str.capitalize, rest))


def snake_case(name: str) -> str:
    """Convert ``elementId`` to ``element_id``."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


@attrs.frozen(kw_only=True)
class Limits:
    """Inclusive bounds of a number, or of the length of a string or array; for ``Annotated``.

    In a union they belong to the member that has them.
    """

    minimum: float | None = None
    maximum: float | None = None
    min_length: int | None = None
    max_length: int | None = None

    def keywords(self, type_name: str) -> Schema:
        """Return the JSON Schema keywords for a value of that JSON type."""
        length = "Items" if type_name == "array" else "Length"
        bounds = {
            "minimum": self.minimum,
            "maximum": self.maximum,
            f"min{length}": self.min_length,
            f"max{length}": self.max_length,
        }
        return {keyword: bound for keyword, bound in bounds.items() if bound is not None}

    def check(self, value: Any) -> None:
        """Raise ``ValueError`` if a value of the right type violates a bound."""
        if isinstance(value, int | float):
            verb, unit, size, low, high = "be", "", value, self.minimum, self.maximum
        else:
            unit = " characters" if isinstance(value, str) else " items"
            verb, size, low, high = "have", len(value), self.min_length, self.max_length
        if low is not None and size < low:
            raise ValueError(f"must {verb} at least {low}{unit}, got {size}")
        if high is not None and size > high:
            raise ValueError(f"must {verb} at most {high}{unit}, got {size}")


@attrs.frozen
class Lenient:
    """A converter of other spellings of a value, for ``Annotated``.

    ``read`` gets every value that is passed, and returns values that it does not know unchanged.
    """

    read: Callable[[Any], Any]


class Unlisted:
    """A mark for ``Annotated``: the parameter is accepted, but left out of the schema."""


Capability = Literal["scripts", "cookies", "files"]
"""What tools and parameters do, by the name that rules of policies have for it."""


@attrs.frozen
class Uses:
    """A mark for ``Annotated``: a call with this parameter uses a capability."""

    capability: Capability


class Rare:
    """A mark for ``Annotated``: only profile full lists the parameter; all profiles accept it."""


@attrs.frozen
class Private:
    """A mark for ``Annotated``: the audit log has the size of the value, unless ``keeps`` holds."""

    keeps: Callable[[str], bool] = lambda _: False


def find_note(hint: Any, kind: type[N]) -> N | None:
    """Return the note of a kind in an ``Annotated`` type, if it has one."""
    return next((note for note in get_args(hint) if isinstance(note, kind)), None)


def schema(hint: Any) -> Schema:
    """Return the JSON Schema of a type; raises ``TypeError`` for types that tools cannot take."""
    arguments = get_args(hint)
    origin = get_origin(hint)
    if origin is Annotated:
        return _annotated(*arguments)
    if origin is Literal:
        if not all(isinstance(choice, str) for choice in arguments):
            raise TypeError(f"tools can only choose among strings, not {hint!r}")
        return {"type": "string", "enum": list(arguments)}
    if origin in {Union, UnionType}:
        members = [schema(member) for member in alternatives(hint)]
        return members[0] if len(members) == 1 else {"anyOf": members}
    if origin in {list, Sequence}:
        return {"type": "array", "items": schema(arguments[0])}
    if origin is dict:
        values = schema(arguments[1])
        return {"type": "object", **({"additionalProperties": values} if values else {})}
    return _plain(hint)


def object_schema(cls: type[attrs.AttrsInstance], *, rare: bool = True) -> Schema:
    """Return the JSON Schema of an attrs class: fields without default are required.

    Without ``rare``, fields marked `Rare` are left out. ``additionalProperties`` is left out,
    because agents pay for every word of the schema.
    """
    unlisted = {Unlisted} if rare else {Unlisted, Rare}
    fields = [
        field
        for field in attrs.fields(attrs.resolve_types(cls))
        if get_origin(field.type) is not Annotated or not unlisted & set(get_args(field.type)[1:])
    ]
    required = [public_name(field.name) for field in fields if field.default is attrs.NOTHING]
    properties = {
        public_name(field.name): schema(field.type) | _default(field.default) for field in fields
    }
    return {
        "type": "object",
        "properties": properties,
        **({"required": required} if required else {}),
    }


def describe(described: Schema) -> str:
    """Return the values that a schema accepts, in words."""
    if "anyOf" in described:
        return " or ".join(map(describe, described["anyOf"]))
    if "enum" in described:
        return "one of " + ", ".join(map(json.dumps, described["enum"]))
    return PHRASES[described["type"]]


def alternatives(hint: Any) -> list[Any]:
    """Return the members of a union without None, which means that nothing was passed."""
    return [member for member in get_args(hint) if member is not NoneType]


def _plain(hint: Any) -> Schema:
    if hint is Any:
        return {}
    if attrs.has(hint):
        return object_schema(hint)
    if hint in SIMPLE_TYPES:
        return {"type": SIMPLE_TYPES[hint]}
    raise TypeError(f"tools cannot take a parameter of type {hint!r}")


def _annotated(base: Any, *notes: Any) -> Schema:
    described = schema(base)
    for note in notes:
        if isinstance(note, str):
            described["description"] = note
        elif isinstance(note, Limits):
            described |= note.keywords(described["type"])
    return described


def _default(default: Any) -> Schema:
    """Return the keyword for a default, unless it is null, false or empty."""
    if not default or not isinstance(default, str | int | float):
        return {}
    return {"default": default} if len(json.dumps(default)) <= LONGEST_DEFAULT else {}


Hook = Callable[[Any, Any], Any]


MAX_INTEGER = 2**53 - 1
"""JavaScript cannot represent every integer above."""

ALIASES = {
    "ref": "element_id",
    "node_id": "element_id",
    "element": "element_id",
    "button": "click_type",
}
"""Aliases of parameters, in every object that has the parameter; the first one passed wins."""

YIELDING = frozenset({"element"})
"""Aliases that are ignored next to the parameter itself: Playwright's ``element`` is prose."""

MOST_PROBLEMS = 20
MOST_ITEMS = 5000
"""Entries of an array or object: reading each takes as long as 30 µs of the event loop."""


class WrongValue(ValueError):
    """A value that has the wrong type and cannot be converted."""

    def __init__(self, wanted: str, value: Any) -> None:
        super().__init__(f"must be {wanted}, got {short_json(value)}")


def reader(cls: type[attrs.AttrsInstance]) -> Callable[[Any], object]:
    """Return a function that builds a ``cls`` from a JSON object; `explain` takes its errors."""
    hook = _strict.get_structure_hook(cls)
    return lambda value: hook(value, cls)


def _has_origin(*origins: Any) -> Callable[[Any], bool]:
    return lambda hint: get_origin(hint) in origins


_strict = cattrs.Converter(forbid_extra_keys=True, detailed_validation=True)


@_strict.register_structure_hook
def _string(value: Any, _: Any) -> str:
    """Read a string, or a number in decimals: models send ``"text": 99``."""
    if isinstance(value, str):
        return value
    if type(value) in {int, float} and math.isfinite(value):
        return decimal(value)
    raise WrongValue(PHRASES["string"], value)


@_strict.register_structure_hook
def boolean(value: Any, _: Any = bool) -> bool:
    """Read a boolean, or its name."""
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return bool(value == "true")
    raise WrongValue(PHRASES["boolean"], value)


@_strict.register_structure_hook
def number(value: Any, _: Any = float, *, wanted: str = PHRASES["number"]) -> float:
    """Read a finite number, also from a string in decimals; an integer stays an integer."""
    found = value
    if isinstance(value, str) and DECIMAL.fullmatch(value):
        found = float(value) if "." in value else int(value)
    if type(found) is int and abs(found) <= MAX_INTEGER:
        return found
    if type(found) is float and math.isfinite(found):
        return found
    raise WrongValue(wanted, value)


@_strict.register_structure_hook
def integer(value: Any, _: Any = int) -> int:
    """Read a number without fraction, in any notation."""
    found = number(value, wanted=PHRASES["integer"])
    if found != int(found) or abs(found) > MAX_INTEGER:
        raise WrongValue(PHRASES["integer"], value)
    return int(found)


@_strict.register_structure_hook_factory(_has_origin(Literal))
def _choice_hook(hint: Any) -> Hook:
    choices = {choice.casefold(): choice for choice in get_args(hint)}
    wanted = describe(schema(hint))

    def structure(value: Any, _: Any) -> str:
        if isinstance(value, str) and value.casefold() in choices:
            return cast("str", choices[value.casefold()])
        raise WrongValue(wanted, value)

    return structure


_SINGLE = re.compile(r"[^\s\[{][^,]*")
"""One item in place of a list of texts: no JSON, and no enumeration with commas."""


@_strict.register_structure_hook_factory(_has_origin(list, Sequence))
def _array_hook(hint: Any, converter: cattrs.Converter) -> Hook:
    structure = list_structure_factory(hint, converter)
    is_of_texts = schema(get_args(hint)[0]).get("type") == "string"

    def read(value: Any, _: Any) -> Any:
        if is_of_texts and isinstance(value, str) and _SINGLE.fullmatch(value):
            return structure([value], hint)
        return structure(_container(value, list), hint)

    return read


@_strict.register_structure_hook_factory(_has_origin(dict))
def _mapping_hook(hint: Any, converter: cattrs.Converter) -> Hook:
    structure = mapping_structure_factory(hint, converter)
    if get_args(hint)[1] is Any:  # passed on unchanged, nulls included
        return lambda value, _: _container(value, dict)
    return lambda value, _: structure(_without_nulls(value), hint)


@_strict.register_structure_hook_factory(attrs.has)
def _object_hook(cls: type[attrs.AttrsInstance], converter: cattrs.Converter) -> Hook:
    structure = make_dict_structure_fn(cls, converter)
    known = spellings(cls)
    return lambda value, _: structure(rename_to_fields(_container(value, dict), known), cls)


@_strict.register_structure_hook_factory(_has_origin(Union, UnionType))
def _union_hook(hint: Any, converter: cattrs.Converter) -> Hook:
    options = [(member, converter.get_structure_hook(member)) for member in alternatives(hint)]
    if len(options) == 1:
        member, only = options[0]
        return lambda value, _: only(value, member)
    wanted = describe(schema(hint))
    ranked = {
        kind: sorted(options, key=lambda option: _rank(option[0], kind)) for kind in JSON_TYPES
    }

    def structure(value: Any, _: Any) -> Any:
        first: Exception | None = None
        for member, hook in ranked.get(value.__class__, options):
            try:
                return hook(value, member)
            except WrongValue:
                continue
            except (ValueError, cattrs.BaseValidationError) as error:
                first = first or error
        raise first or WrongValue(wanted, value)

    return structure


def _rank(member: Any, kind: type) -> int:
    """Rank a union's members: objects first for text (JSON), then members of the value's type."""
    described = schema(member)
    if kind is str and "properties" in described:
        return 0
    is_same = described["type"] == JSON_TYPES[kind]
    return 1 if is_same or (kind is int and described["type"] == "number") else 2


@_strict.register_structure_hook_factory(_has_origin(Annotated))
def _annotated_hook(hint: Any, converter: cattrs.Converter) -> Hook:
    base, *notes = get_args(hint)
    hook = converter.get_structure_hook(base)
    readers = [note.read for note in notes if isinstance(note, Lenient)]
    limits = [note for note in notes if isinstance(note, Limits)]

    def structure(value: Any, _: Any) -> Any:
        for read in readers:
            value = read(value)
        found = hook(value, base)
        for limit in limits:
            limit.check(found)
        return found

    return structure


def _container(value: Any, kind: type[Any]) -> Any:
    """Return an array or object, also from a string of JSON."""
    found = value
    if isinstance(value, str):
        with suppress(ValueError, RecursionError):
            found = json.loads(value)
    if isinstance(found, kind):
        if len(found) > MOST_ITEMS:
            raise ValueError(f"must have at most {MOST_ITEMS:,} entries, got {len(found):,}")
        return found
    raise WrongValue(PHRASES[JSON_TYPES[kind]], value)


def _without_nulls(value: Any) -> dict[str, Any]:
    return {key: item for key, item in _container(value, dict).items() if item is not None}


# ---------------------------------------------------------------------------- names


@functools.cache
def spellings(cls: type[attrs.AttrsInstance]) -> Mapping[str, str]:
    """Map every spelling of the fields' names to the field's name, in order of precedence."""
    names = {public_name(field.name): field.name for field in attrs.fields(cls)}
    known = names | {camel_case(name): field for name, field in names.items()}
    for alias, name in ALIASES.items():
        if name in names:
            known.setdefault(alias, names[name])
            known.setdefault(camel_case(alias), names[name])
    return known


def rename_to_fields(given: dict[str, Any], known: Mapping[str, str]) -> dict[str, Any]:
    """Return the members under their fields' names, without nulls; unknown names are kept."""
    result = {key: value for key, value in given.items() if key not in known and value is not None}
    for spelling, name in known.items():
        value = given.get(spelling)
        if value is None:
            continue
        if name not in result:
            result[name] = value
        elif spelling not in YIELDING:
            result[spelling] = value
    return result


# ---------------------------------------------------------------------------- for `Lenient`


_OWNERS_TAB = re.compile("owner-[0-9]{1,9}")


def tab_name(value: Any) -> str:
    """Return ``"tab-3"`` for ``"tab-3"``, ``"3"`` and 3, whether or not the tab exists.

    The id of a tab of the browser's owner, such as ``"owner-3"``, stays the same.
    """
    if isinstance(value, str) and _OWNERS_TAB.fullmatch(value):
        return value
    try:
        return f"tab-{integer(value.removeprefix('tab-') if isinstance(value, str) else value)}"
    except WrongValue:
        raise WrongValue('a tab id such as "tab-3"', value) from None


TabId = Annotated[str, Lenient(tab_name), "Default: the active tab."]


def nearest_pixel(value: Any) -> Any:
    """Return 301 for 300.6, other values unchanged: bounds of elements have fractions."""
    found = number(value) if isinstance(value, str) and DECIMAL.fullmatch(value) else value
    return round(found) if isinstance(found, float) and math.isfinite(found) else value


Pixel = Annotated[int, Lenient(nearest_pixel)]


def node_reference(value: Any) -> Any:
    """Return ``"e1537"`` for the number of a DOM node (S-DOM-01), other values unchanged."""
    return f"e{value}" if type(value) is int else value


def element_reference(value: Any) -> Any:
    """Return a reference to an element; raises `InvalidArgument` for any other text."""
    reference = node_reference(value)
    if isinstance(reference, str):
        get_reference_form(reference)
    return reference


def text_or_texts(value: Any) -> Any:
    """Return the list for a JSON array of texts, as shells and some clients send it."""
    with suppress(WrongValue):
        found = _container(value, list)
        return found if all(isinstance(text, str) for text in found) else value
    return value


def modifier_names(value: Any) -> Any:
    """Return ``["ctrl"]`` for ``["Control"]`` and ``{"ctrl": true, "alt": false}`` (S-MOD-01)."""
    names = value
    with suppress(WrongValue):
        names = [name for name, flag in _without_nulls(value).items() if boolean(flag)]
    if isinstance(names, str):
        return modifier_named(names) or names
    if not isinstance(names, list):
        return names
    return [modifier_named(str(name)) or name for name in cast("list[object]", names)]


# ---------------------------------------------------------------------------- of several tools

ElementId = Annotated[str, Lenient(element_reference), "Id from an answer, such as btn-86b8."]
Url = Annotated[str, "URL: http, https, data or about:blank; a bare host gets https."]
Timeout = Annotated[int, Limits(minimum=0, maximum=300_000), "Time limit in ms."]
Modifiers = Annotated[Sequence[Modifier], Lenient(modifier_names), "Keys to hold down."]
Limit = Annotated[int, Limits(minimum=1, maximum=1000)]
PageCursor = Annotated[str | None, "Cursor of a cut answer: the rest."]
MaxChars = Annotated[
    int | None, Limits(minimum=LENGTHS[0], maximum=LENGTHS[1]), "Most characters of the answer."
]
LoadedDetail = Annotated[PageDetail, "Auto: 4,000 characters; minimal: outline only."]
ChangesDetail = Annotated[Detail, "Delta: only changes; others: also the page."]
OnlyHosts = Annotated[
    Sequence[str] | None,
    Rare,
    Limits(min_length=1, max_length=100),
    "Only hosts that the new context may reach, such as *.example.org, of those of --only-host.",
]
RareDetail = Annotated[ChangesDetail, Rare]


@attrs.frozen
class Offset:
    """CSS px, positive to the right and down."""

    x: Annotated[int, "CSS px to the right; negative: to the left."] = 0
    y: Annotated[int, "CSS px down; negative: up."] = 0


def given(**arguments: Any) -> dict[str, Any]:
    """Return the arguments that are not None."""
    return {name: value for name, value in arguments.items() if value is not None}


# ---------------------------------------------------------------------------- problems


def explain(error: Exception) -> str:
    """Return all problems, each with its path: ``fields[0].value must be …; x is not allowed``."""
    problems = list(_problems(error, ""))
    more = len(problems) - MOST_PROBLEMS
    shown = [describe() for describe in problems[:MOST_PROBLEMS]]
    return "; ".join(shown + ([f"and {more} more"] if more > 0 else []))


def _problems(error: Exception, path: str) -> Iterator[Callable[[], str]]:
    """Yield functions that describe the problems: there may be very many."""
    match error:
        case cattrs.BaseValidationError():
            for part in error.exceptions:
                yield from _problems(part, _path_of(part, path))
        case cattrs.ForbiddenExtraKeysError():
            for key in sorted(error.extra_fields):
                yield functools.partial(_describe_unknown, path, key, error.cl)
        case KeyError():
            yield lambda: f"{path} is required"
        case _:
            text = str(error)
            yield lambda: f"{path or 'arguments'}{' ' if text.startswith('must ') else ': '}{text}"


def _path_of(part: Exception, path: str) -> str:
    for note in getattr(part, "__notes__", ()):
        if isinstance(note, AttributeValidationNote):
            return _member(path, public_name(note.name))
        if isinstance(note, IterableValidationNote):
            inside_array = isinstance(note.index, int)
            return f"{path}[{note.index}]" if inside_array else _member(path, str(note.index))
    return path


def _member(path: str, name: str) -> str:
    return f"{path}.{short_line(name)}" if path else short_line(name)


def _describe_unknown(path: str, key: str, cls: type[attrs.AttrsInstance]) -> str:
    known, member = spellings(cls), _member(path, key)
    if key in known:
        return f"{member} means {public_name(known[key])}, which is given as well"
    names = [public_name(field.name) for field in attrs.fields(cls)]
    if close := difflib.get_close_matches(snake_case(key[:SHOWN]), names, n=1):
        return f"{member} is not allowed, did you mean {close[0]}?"
    return f"{member} is not allowed"
