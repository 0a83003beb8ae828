"""Loading of the configuration from flags, environment and file."""

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, cast, get_args, get_origin

import attrs

from charlotte.base.errors import InvalidArgument
from charlotte.config.checks import check, check_audit_file, check_containment
from charlotte.config.config import RANGES, Config, fields
from charlotte.config.setting import (
    ENVIRONMENT,
    FILE,
    FLAG,
    PREFIX,
    InvalidSetting,
    flag_of,
    nearest,
    variable_of,
)

_INTEGER = re.compile("0|[1-9][0-9]{0,8}")
_BOOLEANS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
_POSITIVE = 1, 999_999_999
_NO_SETTINGS = frozenset({"CHARLOTTE_CONFIG"})


@attrs.frozen
class LoadedConfig:
    """A configuration, the source of each setting that is not a default, and warnings to log."""

    config: Config
    sources: Mapping[str, str]
    warnings: list[str]


def load(
    flags: Mapping[str, Any],
    environ: Mapping[str, str],
    file: Path | None = None,
    *,
    opens_audit: bool = True,
) -> LoadedConfig:
    """Load the configuration. Raises `InvalidArgument`, which names settings as they were set.

    The audit log is checked if this process ``opens_audit``: another one may have it open.
    """
    names = {variable_of(name): name for name in fields()}
    ours = {key: value for key, value in environ.items() if key.startswith(PREFIX)}
    unknown = sorted(ours.keys() - names.keys() - _NO_SETTINGS)
    layers: dict[str, Mapping[str, Any]] = {
        FILE: _file(file) if file else {},
        ENVIRONMENT: {names[key]: value for key, value in ours.items() if key in names},
        FLAG: {name: value for name, value in flags.items() if value is not None},
    }
    sources = {name: source for source, layer in layers.items() for name in layer}
    try:
        merged = {
            name: _parse(name, value, fields()[name].type)
            for layer in layers.values()
            for name, value in layer.items()
        }
        config = Config(**merged)
        check(config)
        if opens_audit and config.join is None:
            check_audit_file(config)
        check_containment(config)
        _check_flags(config, sources)
    except InvalidSetting as error:
        raise InvalidArgument(
            error.describe(lambda name: _written(name, sources.get(name, FLAG), file))
        ) from error
    warnings = [f"{key} is not a setting{nearest(key, names)}" for key in unknown]
    return LoadedConfig(config, sources, warnings)


def _check_flags(config: Config, sources: Mapping[str, str]) -> None:
    for name, source in sources.items():
        is_for_http = fields()[name].metadata["group"] == "HTTP" and name != "dashboard"
        if source == FLAG and not config.http and is_for_http:
            raise InvalidSetting(f"{{{name}}} is for servers over HTTP: add {{http}}.")


def _written(name: str, source: str, file: Path | None) -> str:
    """Return the name of a setting as its source writes it."""
    if source == FILE:
        return f"{name} in {file}"
    has_flag = "secret" not in fields()[name].metadata
    return flag_of(name) if source == FLAG and has_flag else variable_of(name)


def _file(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
        content: object = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except FileNotFoundError:
        raise InvalidArgument(f"Config file not found: {path}.") from None
    except OSError as error:
        raise InvalidArgument(f"Config file {path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        kind = "JSON" if path.suffix == ".json" else "TOML"
        known = path.suffix in {".json", ".toml"}
        more = "" if known else " Only files named .json are read as JSON, all others as TOML."
        raise InvalidArgument(f"Config file {path} is not valid {kind}: {error}.{more}") from error
    if not isinstance(content, dict):
        raise InvalidArgument(f"Config file {path} must contain an object of settings.")
    given = cast("dict[str, Any]", content)
    settings = {key.replace("-", "_"): value for key, value in given.items()}
    if unknown := [key for key in settings if key not in fields()]:
        problems = [f"{key!r} is not a setting{nearest(key, fields())}" for key in unknown]
        raise InvalidArgument(f"{path}: {'; '.join(problems)}.")
    return settings


def _parse(name: str, value: Any, hint: Any) -> Any:
    """Parse the value of a setting by its type; raises `InvalidArgument`.

    Flags and variables are text; values of a file have JSON or TOML types.
    """
    expected, near = "text", ""
    got: Any = value
    if get_origin(hint) is Literal:
        if value in get_args(hint):
            return value
        expected = f"one of {', '.join(get_args(hint))}"
        near = nearest(str(value), get_args(hint))
    elif hint is bool:
        truth = _BOOLEANS.get(value.lower()) if isinstance(value, str) else value
        if isinstance(truth, bool):
            return truth
        expected = "true or false"
    elif hint is int:
        low, high = RANGES.get(name, _POSITIVE)
        is_number = not isinstance(value, bool) and _INTEGER.fullmatch(str(value))
        if is_number and low <= int(value) <= high:
            return int(value)
        expected = f"between {low} and {high}" if name in RANGES else "an integer of at least 1"
        raise InvalidSetting(f"{{{name}}} must be {expected}, got {{got}}.", got=value)
    elif hint == tuple[str, ...]:
        texts: list[Any] = [*value] if isinstance(value, list) else [value]
        if all(isinstance(text, str) for text in texts):
            return tuple(texts)
        expected = "a list of texts"
    elif isinstance(value, str):
        return value
    raise InvalidSetting(f"{{{name}}} must be {expected}, got {{got!r}}{near}.", got=got)
