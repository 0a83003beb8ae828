"""Reads what flags, variables and files give for a setting."""

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

from charlotte.errors import InvalidArgument


def read(name: str, value: Any, hint: Any) -> Any:
    """The value of a setting of that type; raises `InvalidArgument`.

    A flag or a variable gives a text, a file what it means already.
    """
    if get_origin(hint) is Literal:
        return _choice(name, value, get_args(hint))
    if hint is bool:
        return _boolean(name, value)
    if hint is int:
        return _integer(name, value, least=0 if name == "port" else 1)
    if hint == tuple[str, ...]:
        return _texts(name, value)
    if not isinstance(value, str):
        raise InvalidArgument(f"{name} is a text, not {value!r}.")
    return value


def _texts(name: str, value: Any) -> tuple[str, ...]:
    texts: list[object] = [*value] if isinstance(value, list) else [value]
    if not all(isinstance(text, str) for text in texts):
        raise InvalidArgument(f"{name} is a list of texts, not {value!r}.")
    return tuple(map(str, texts))


def _choice(name: str, value: Any, choices: tuple[Any, ...]) -> Any:
    if value not in choices:
        raise InvalidArgument(f"{name} is one of {', '.join(choices)}, not {value!r}.")
    return value


def _boolean(name: str, value: Any) -> bool:
    spelled = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    if isinstance(value, str) and value.lower() in spelled:
        return spelled[value.lower()]
    if not isinstance(value, bool):
        raise InvalidArgument(f"{name} is true or false, not {value!r}.")
    return value


def _integer(name: str, value: Any, *, least: int) -> int:
    is_number = not isinstance(value, bool) and re.fullmatch("0|[1-9][0-9]{0,8}", str(value))
    if not is_number or int(value) < least:
        raise InvalidArgument(f"{name} is a whole number from {least}, not {value!r}.")
    return int(value)


def nearest(name: str, known: Mapping[str, object] | Sequence[str]) -> str:
    """``" (did you mean x?)"``, or nothing."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {close[0]}?)" if close else ""
