"""Policies as they are configured: names of presets, and files in TOML."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeGuard, TypeVar, get_args

import attrs

from charlotte.base.errors import InvalidArgument
from charlotte.guard.rules import Action, Policy, Preset, Rule

T = TypeVar("T")

PRESETS: Mapping[Preset, Sequence[Rule]] = {
    "read-only": (
        Rule(name="read-only", action="refuse", tool=("upload",)),
        Rule(name="read-only", action="refuse", method=("!GET", "!HEAD", "!OPTIONS")),
    ),
    "no-downloads": (),
    "no-uploads": (
        Rule(name="no-uploads", action="refuse", tool=("upload",)),
        Rule(name="no-uploads", action="refuse", files=True),
    ),
}
"""The rules of each preset."""

_PRESETS: tuple[Preset, ...] = get_args(Preset)
_ACTIONS: tuple[Action, ...] = get_args(Action)
_LISTS = ("tool", "origin", "method", "path")
_KEYS = ("name", "action", *_LISTS)


def read_policy(sources: Sequence[str]) -> Policy:
    """Return the rules of presets and files in their order; raises `InvalidArgument`."""
    rules: list[Rule] = []
    presets: set[Preset] = set()
    for source in sources:
        if source in _PRESETS:
            presets.add(source)
            rules += PRESETS[source]
        else:
            rules += _read_file(Path(source))
    return Policy(tuple(rules), frozenset(presets))


def _read_file(path: Path) -> list[Rule]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InvalidArgument(
            f"policy must be a file or one of {', '.join(_PRESETS)}, got {str(path)!r}."
        ) from None
    except OSError as error:
        raise InvalidArgument(f"policy {path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise InvalidArgument(f"policy {path} is not valid TOML: {error}.") from error
    if unknown := content.keys() - {"rule"}:
        raise InvalidArgument(
            f"policy {path}: {min(unknown)!r} is not a key; the only key is rule."
        )
    tables: Any = content.get("rule", [])
    if not _is_list_of(dict, tables):
        raise InvalidArgument(f"policy {path}: each rule must be a table below [[rule]].")
    return [_read_rule(path, number, table) for number, table in enumerate(tables, 1)]


def _read_rule(path: Path, number: int, table: Mapping[str, Any]) -> Rule:
    name = table.get("name", f"rule {number}")
    called = f" ({name!r})" if "name" in table and isinstance(name, str) else ""
    reader = _RuleReader(f"policy {path}, rule {number}{called}", table)
    if unknown := [key for key in table if key not in _KEYS]:
        raise reader.error(f"{unknown[0]!r} is not a key; the keys are {', '.join(_KEYS)}")
    if table.get("action") not in _ACTIONS:
        raise reader.wrong("action", f"one of {', '.join(_ACTIONS)}")
    if not isinstance(name, str):
        raise reader.wrong("name", "a text")
    return Rule(
        name=name,
        action=table["action"],
        tool=reader.read_list("tool"),
        origin=reader.read_list("origin", _check_origin),
        method=tuple(method.upper() for method in reader.read_list("method")),
        path=reader.read_list("path", _check_path),
    )


@attrs.frozen
class _RuleReader:
    """Reads the keys of a table; errors name its ``place``."""

    _place: str
    _table: Mapping[str, Any]

    def error(self, problem: str) -> InvalidArgument:
        """Return an error about the table."""
        return InvalidArgument(f"{self._place}: {problem}.")

    def wrong(self, key: str, wanted: str) -> InvalidArgument:
        """Return the error for a value that is missing or of the wrong kind."""
        if key not in self._table:
            return self.error(f"{key} is required: {wanted}")
        return self.error(f"{key} must be {wanted}, got {self._table[key]!r}")

    def read_list(
        self, key: str, problem: Callable[[str], str | None] = lambda _: None
    ) -> tuple[str, ...]:
        """Return a text or a list of texts, each without a ``problem``."""
        texts = _read_texts(self._table.get(key, []))
        if texts is None or "" in texts:
            raise self.wrong(key, "a text or a list of texts")
        for text in texts:
            if found := problem(text.removeprefix("!")):
                raise self.error(f"{key} {found}, got {text!r}")
        return texts


def _read_texts(value: Any) -> tuple[str, ...] | None:
    if isinstance(value, str):
        return (value,)
    return tuple(value) if _is_list_of(str, value) else None


def _is_list_of(kind: type[T], value: Any) -> TypeGuard[list[T]]:
    items: Any = value
    return isinstance(value, list) and all(isinstance(item, kind) for item in items)


def _check_origin(text: str) -> str | None:
    scheme, separator, rest = text.partition("://")
    is_origin = bool(separator) and bool(scheme) and bool(rest) and "/" not in rest
    return None if is_origin or text == "*" else "must be like https://shop.test or https://*.test"


def _check_path(text: str) -> str | None:
    return None if text.startswith(("/", "*")) else "must begin with / or *"
