"""``charlotte call TOOL key=value …``: call a tool in a new session and print its answer."""

import json
from collections.abc import Callable, Sequence

from charlotte.app import open_charlotte
from charlotte.config import Config
from charlotte.errors import CharlotteError, InvalidArgument
from charlotte.tools.answer import Image, Link, Text
from charlotte.tools.schema.tool import UnknownTool

Say = Callable[[str], object]

USAGE = "charlotte call TOOL name=value …"
ANSWERED, FAILED, MISUSED = 0, 1, 2
"""Exit codes."""


def arguments_of(words: Sequence[str]) -> dict[str, str]:
    """Parse words such as ``url=https://example.org``; tools parse numbers and JSON in texts."""
    pairs = [word.partition("=") for word in words]
    wrong = [name for name, sign, _ in pairs if not (name and sign)]
    if wrong:
        raise InvalidArgument(
            f"Arguments must be name=value, got {', '.join(map(repr, wrong))}.",
            "Pass arguments such as url=https://example.org; write lists and objects as JSON.",
        )
    return {name: value for name, _, value in pairs}


async def call(config: Config, words: Sequence[str], say: Say) -> int:
    """Call the tool named by the first word and print its answer; return the exit code."""
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
            match block:
                case Text(text):
                    say(text)
                case Image(mime_type=kind):
                    say(f"(image, {kind}; pass save=true to write it to a file)")
                case Link(uri):
                    say(uri)
        return FAILED if answer.is_error else ANSWERED
