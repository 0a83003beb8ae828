"""The format of the answer to the present call: text for agents, or JSON for programs.

A session has a format (``answers`` of its settings), and each call may have another: every tool
accepts the argument ``answers``, which no schema lists.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast, get_args

from charlotte.base.errors import InvalidArgument
from charlotte.config.config import AnswerFormat
from charlotte.page.model import short_json

ARGUMENT = "answers"

answer_format: ContextVar[AnswerFormat | None] = ContextVar("answer_format", default=None)
"""The format of the call that is being executed; None outside of calls, which means JSON."""


def wants_text() -> bool:
    """Return whether the answer to the present call is text."""
    return answer_format.get() == "text"


@contextmanager
def answering_in(answers: AnswerFormat) -> Generator[None]:
    """Have the calls of the block answered in a format, in the task that executes the block."""
    token = answer_format.set(answers)
    try:
        yield
    finally:
        answer_format.reset(token)


def take_format(
    arguments: Mapping[str, Any], default: AnswerFormat
) -> tuple[AnswerFormat, dict[str, Any]]:
    """Return the format of a call, and its other arguments; raises `InvalidArgument`.

    Without the argument, it is the format of the batch that makes the call, or ``default``.
    """
    rest = dict(arguments)
    given = rest.pop(ARGUMENT, None)
    if given is None:
        return answer_format.get() or default, rest
    if given not in get_args(AnswerFormat):
        accepted = " or ".join(f'"{name}"' for name in get_args(AnswerFormat))
        raise InvalidArgument(
            f"{ARGUMENT} must be {accepted}, got {short_json(given)}.",
            "Omit it for the format of the session, which configure{answers} sets.",
        )
    return cast("AnswerFormat", given), rest
