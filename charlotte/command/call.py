"""``charlotte call TOOL key=value …``: one tool in a session of its own; its answer is printed."""

import json
from collections.abc import Callable, Sequence

from charlotte.app import open_charlotte
from charlotte.config import Config
from charlotte.errors import CharlotteError, InvalidArgument
from charlotte.tools.answer import Block, Image, Link, Text
from charlotte.tools.toolbox import UnknownTool

Say = Callable[[str], object]

USAGE = "charlotte call TOOL name=value …"
ANSWERED, FAILED, MISUSED = 0, 1, 2
"""Exit codes."""


def arguments_of(words: Sequence[str]) -> dict[str, str]:
    """``url=https://example.org`` as an argument; tools read numbers and JSON out of texts."""
    pairs = [word.partition("=") for word in words]
    wrong = [name for name, sign, _ in pairs if not (name and sign)]
    if wrong:
        raise InvalidArgument(
            f"Not as name=value: {', '.join(map(repr, wrong))}.",
            "Arguments are as url=https://example.org; lists and objects are JSON.",
        )
    return {name: value for name, _, value in pairs}


async def call(config: Config, words: Sequence[str], say: Say) -> int:
    """Call the tool that the first word names, and say what it answers; returns the exit code."""
    if not words:
        say(USAGE)
        return MISUSED
    async with open_charlotte(config) as charlotte, charlotte.open_session() as session:
        try:
            answer = await session.call(words[0], dict(arguments_of(words[1:])))
        except CharlotteError as error:
            say(json.dumps(error.as_json(), ensure_ascii=False))
            return FAILED
        except UnknownTool as error:
            say(str(error))
            return MISUSED
        for block in answer.blocks:
            say(_told(block))
        return FAILED if answer.is_error else ANSWERED


def _told(block: Block) -> str:
    match block:
        case Text(text):
            return text
        case Image(mime_type=kind):
            return f"(an image, {kind}; save=true keeps it as a file)"
        case Link(uri):
            return uri
