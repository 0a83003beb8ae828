"""Settings as fields of a class: their declaration, their names, and errors that name them."""

import difflib
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import attrs

from charlotte.base.errors import InvalidArgument

PREFIX = "CHARLOTTE_"

Group = Literal[
    "Tools", "Answers", "Browser", "Network", "Logins", "Files", "HTTP", "Shell", "Logging"
]
"""Groups of settings, in the order of documentation."""

FILE, ENVIRONMENT, FLAG = "file", "environment", "flag"
"""Sources of settings, by rising precedence."""


class InvalidSetting(InvalidArgument):
    """A value of a setting is not accepted. The message names settings as the caller wrote them.

    ``template`` contains names of settings and of ``values`` in braces.
    """

    def __init__(self, template: str, **values: object) -> None:
        self.template, self.values = template, values
        super().__init__(self.describe(str))

    def describe(self, written: Callable[[str], str]) -> str:
        """Return the message with the names of settings as ``written`` returns them."""
        return self.template.format_map(_Names(written, self.values))


class _Names(dict[str, object]):
    """The values of a message; every other name in it is the name of a setting."""

    def __init__(self, written: Callable[[str], str], values: Mapping[str, object]) -> None:
        super().__init__(values)
        self._written = written

    def __missing__(self, name: str) -> str:
        return self._written(name)


def setting(
    default: Any,
    help_text: str,
    group: Group,
    *,
    unit: str | None = None,
    alone: str | None = None,
) -> Any:
    """Declare a setting: default, line in ``--help``, group, and unit of the value.

    ``alone`` is the value of the flag without a value.
    """
    metadata = {"help": help_text, "group": group, "unit": unit, "alone": alone}
    return attrs.field(default=default, metadata=metadata)


def switch(help_text: str, group: Group) -> Any:
    """Declare a setting that is off by default."""
    return setting(default=False, help_text=help_text, group=group)


def secret(help_text: str, group: Group, *, unit: str, default: Any = None) -> Any:
    """Declare a secret setting: never logged, and no flag, because other users can see flags."""
    metadata = {"help": help_text, "group": group, "unit": unit, "secret": True}
    return attrs.field(default=default, metadata=metadata, repr=False)


@contextmanager
def naming(name: str) -> Generator[None]:
    """Let an error of the block name a setting as it was written."""
    try:
        yield
    except InvalidSetting:
        raise
    except InvalidArgument as error:
        before, _, after = error.message.partition(name)
        template = f"{{before}}{{{name}}}{{after}}" if after else "{before}"
        raise InvalidSetting(template, before=before, after=after) from error


def flag_of(name: str) -> str:
    """Return the flag of a setting."""
    return f"--{name.replace('_', '-')}"


def variable_of(name: str) -> str:
    """Return the environment variable of a setting."""
    return f"{PREFIX}{name.upper()}"


def nearest(name: str, known: Mapping[str, object] | Sequence[str]) -> str:
    """Return ``" (did you mean x?)"`` for the most similar known name, or ``""``."""
    # compared without what all flags or all variables begin with
    names = {each.lstrip("-").removeprefix(PREFIX): each for each in known}
    close = difflib.get_close_matches(name.lstrip("-").removeprefix(PREFIX), list(names), n=1)
    return f" (did you mean {names[close[0]]}?)" if close else ""
