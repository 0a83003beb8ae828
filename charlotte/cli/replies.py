"""Answers of tools as the output of a command, and exit codes by the kind of error."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

from charlotte.answers.answer import Answer, Image, Link
from charlotte.answers.remarks import write_error
from charlotte.base.errors import CharlotteError
from charlotte.cli.command_line import CommandLine
from charlotte.cli.invocation import ANSWERED, FAILED, MISUSED
from charlotte.shell.client import LOST

ELEMENT, NAVIGATION, TIME, SCRIPT, TAB = 3, 4, 5, 6, 7
"""Further exit codes than those of `charlotte.cli.invocation` and of `charlotte.shell.client`."""

EXIT_CODES = {
    "INVALID_ARGUMENT": MISUSED,
    "INVALID_COORDINATES": MISUSED,
    "ELEMENT_NOT_FOUND": ELEMENT,
    "ELEMENT_NOT_INTERACTIVE": ELEMENT,
    "ELEMENT_CHANGED": ELEMENT,
    "SNAPSHOT_EXPIRED": ELEMENT,
    "NAVIGATION_FAILED": NAVIGATION,
    "NAVIGATION_BLOCKED": NAVIGATION,
    "TIMEOUT": TIME,
    "TAB_HUNG": TIME,
    "EVALUATION_ERROR": SCRIPT,
    "TAB_NOT_FOUND": TAB,
    "TAB_CRASHED": TAB,
    "CDP_CONNECTION_LOST": LOST,
}
"""Exit codes by the code of an error; those of other errors are `FAILED`."""

Reply = dict[str, Any]


def reply_to_error(error: CharlotteError, *, is_json: bool) -> Reply:
    """Return an error as text on stderr, or as JSON on stdout."""
    code = EXIT_CODES.get(error.code, FAILED)
    if is_json:
        return {"out": json.dumps(error.as_json(), ensure_ascii=False, default=str), "exit": code}
    return {"err": error.text or write_error(error), "exit": code}


def reply_to(answer: Answer, line: CommandLine) -> Reply:
    """Return an answer as lines; an image goes to the file that the command names."""
    notes = [*_notes(answer, has_output=line.output is not None)]
    texts = [answer.text]
    reply: Reply = {"exit": FAILED if answer.is_error else ANSWERED}
    image = next((block for block in answer.blocks if isinstance(block, Image)), None)
    if line.output is not None and image is not None:
        reply |= {"file": line.output, "data": image.data}
        if line.output == "-":
            return reply
        notes.append(f"written to {line.output}")
    if line.json:  # the output must stay valid
        reply["err"] = "\n".join(notes)
    else:
        texts += notes
    return reply | {"out": "\n".join(texts)}


def _notes(answer: Answer, *, has_output: bool) -> Iterator[str]:
    """Return where files are that the text does not name."""
    text, links = answer.text, [block for block in answer.blocks if isinstance(block, Link)]
    for link in links:
        path = unquote(urlsplit(link.uri).path)
        if path not in text:
            yield path
    images = [block for block in answer.blocks if isinstance(block, Image)]
    if images and not links and not has_output:
        yield f"(an image, {images[0].mime_type}; pass save=true or -o FILE to get it as a file)"
