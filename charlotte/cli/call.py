"""``charlotte call``: one call of a tool in a new session; help for it and ``charlotte do``."""

import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import unquote, urlsplit

import attrs

from charlotte.answers.answer import Answer, Image, Link
from charlotte.api.app import open_local
from charlotte.api.session import Session
from charlotte.base.errors import CharlotteError, InvalidArgument
from charlotte.browser.process.running_browser import NotAllowedYet
from charlotte.cli.arguments import arguments_of, help_of, list_tools
from charlotte.cli.parser import ANSWERED, FAILED, MISUSED, Invocation, build_parser
from charlotte.tools.schema.tool import Toolbox, UnknownTool
from charlotte.tools.toolkit import CATALOG

Reply = dict[str, Any]
"""What a command prints: ``out``, ``err``, a ``file`` with its ``data``, and the ``exit`` code."""


async def run(invocation: Invocation) -> int:
    """List the tools, print help, or call a tool and print its answer."""
    arguments, write = invocation.arguments, invocation.write
    command, shape = arguments.command, "[name=value …]"
    toolbox, given = Toolbox(CATALOG, profile="full", naming="bare"), dict[str, str]()
    try:
        tool = toolbox.find(arguments.tool) if arguments.tool else None
        if command == "do":
            shape = f"[ARGUMENT …] {shape}"
        else:
            given = arguments_of(arguments.words)
    except UnknownTool as error:
        write(f"{error}\nRun 'charlotte {command}' for a list of the tools.")
        return MISUSED
    except InvalidArgument as error:
        write(f"{error.message} {error.suggestion}")
        return MISUSED
    if tool and (arguments.help or command == "do"):
        write("\n".join(help_of(tool, command, shape)))
    elif arguments.help:
        write(build_parser().subparsers[command].format_help().rstrip())
    elif tool:
        return await _call(invocation, tool.name, given)
    else:
        write("\n".join(list_tools(toolbox, command)))
    return ANSWERED


async def _call(invocation: Invocation, tool: str, given: Mapping[str, str]) -> int:
    config = invocation.config
    if invocation.arguments.json:
        config = attrs.evolve(config, answers="json")
    async with open_local(config) as charlotte, charlotte.open_session() as session:
        try:
            reply = reply_to(
                await answer_of(session, tool, given), is_json=invocation.arguments.json
            )
        except CharlotteError as error:
            invocation.write(error.text or json.dumps(error.as_json(), ensure_ascii=False))
            return FAILED
    if text := reply["out"]:
        invocation.write(text)
    if notes := reply.get("err"):
        print(notes, file=sys.stderr)  # noqa: T201
    return int(reply["exit"])


def reply_to(answer: Answer, *, is_json: bool, output: str | None = None) -> Reply:
    """Return an answer as lines; an image goes to the file ``output``, or to stdout for ``-``."""
    image = next((block for block in answer.blocks if isinstance(block, Image)), None)
    paths = [unquote(urlsplit(one.uri).path) for one in answer.blocks if isinstance(one, Link)]
    notes = [path for path in paths if path not in answer.text]
    reply: Reply = {"exit": FAILED if answer.is_error else ANSWERED}
    if image is not None and output is not None:
        reply |= {"file": output, "data": image.data}
        if output == "-":
            return reply
        notes.append(f"written to {output}")
    elif image is not None and not paths:
        notes.append(f"(an image, {image.mime_type}; pass save=true to get it as a file)")
    if is_json:  # the output must stay valid
        return reply | {"out": answer.document, "err": "\n".join(notes)}
    return reply | {"out": "\n".join(filter(None, [answer.text, *notes]))}


async def answer_of(session: Session, tool: str, given: Mapping[str, Any]) -> Answer:
    """Call a tool; while the browser asks its user, wait: leaving would end the question."""
    while True:
        with suppress(NotAllowedYet):
            return await session.call(tool, dict(given))
