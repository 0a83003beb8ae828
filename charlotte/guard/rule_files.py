"""Policies as they are configured: names of presets, and files in TOML."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast, get_args

from charlotte.base.errors import InvalidArgument
from charlotte.guard.rules import Action, Policy, Preset, Rule

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
_LISTS: Mapping[str, tuple[str, str]] = {
    "tool": (".+", ""),
    "origin": (r"!?(\*|.+?://[^/]+)", "be like https://shop.test or https://*.test"),
    "method": (".+", ""),
    "path": ("!?[/*].*", "begin with / or *"),
}
"""The keys with a text or a list of texts: a pattern of the texts, and what it means in words."""

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
    found: object = content.get("rule", [])
    tables = _as_list(found)
    if isinstance(found, dict) or not all(isinstance(table, dict) for table in tables):
        raise InvalidArgument(f"policy {path}: each rule must be a table below [[rule]].")
    return [_read_rule(path, number, table) for number, table in enumerate(tables, 1)]


def _read_rule(path: Path, number: int, table: Mapping[str, Any]) -> Rule:
    name = table.get("name", f"rule {number}")
    if problem := next(_find_problems(table), None):
        called = f" ({name!r})" if "name" in table and isinstance(name, str) else ""
        raise InvalidArgument(f"policy {path}, rule {number}{called}: {problem}.")
    tool, origin, method, paths = (tuple(_as_list(table.get(key, ()))) for key in _LISTS)
    methods = tuple(map(str.upper, method))
    return Rule(
        name=name,
        action=table["action"],
        source=f"policy {path}, rule {number}",
        tool=tool,
        origin=origin,
        method=methods,
        path=paths,
    )


def _find_problems(table: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a rule."""
    if "action" not in table:
        yield f"action is required: one of {', '.join(_ACTIONS)}"
    for key, value in table.items():
        if key == "action" and value not in _ACTIONS:
            yield f"action must be one of {', '.join(_ACTIONS)}, got {value!r}"
        if key == "name" and not isinstance(value, str):
            yield f"name must be a text, got {value!r}"
        if key not in _KEYS:
            yield f"{key!r} is not a key; the keys are {', '.join(_KEYS)}"
        texts = _as_list(value if key in _LISTS else ())
        if not all(isinstance(text, str) and text for text in texts):
            yield f"{key} must be a text or a list of texts, got {value!r}"
            continue
        for text in texts:
            pattern, meaning = _LISTS[key]
            if not re.fullmatch(pattern, text, re.DOTALL):
                yield f"{key} must {meaning}, got {text!r}"


def _as_list(value: Any) -> Sequence[Any]:
    """Return the texts of a list or of one text."""
    return cast("Sequence[Any]", value) if isinstance(value, list | tuple) else [value]
