"""``charlotte call``: one call of a tool in a new session; help for it and ``charlotte do``."""

import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import attrs

from charlotte.answers.answer import Answer, Image, Link, Text
from charlotte.api.app import open_local
from charlotte.api.session import Session
from charlotte.base.errors import CharlotteError, InvalidArgument
from charlotte.browser.process.running_browser import NotAllowedYet
from charlotte.cli.arguments import arguments_of, check_json, help_of, list_tools
from charlotte.cli.parser import ANSWERED, FAILED, MISUSED, Invocation, build_parser
from charlotte.tools.schema.tool import Toolbox, UnknownTool
from charlotte.tools.toolkit import CATALOG


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
        if tool:
            check_json(tool, given)
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
    elif arguments.json:
        rows = [
            {"name": tool.name, "group": tool.group, "description": tool.description}
            for tool in toolbox.tools
        ]
        write(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        write("\n".join(list_tools(toolbox, command)))
    return ANSWERED


async def _call(invocation: Invocation, tool: str, given: Mapping[str, str]) -> int:
    config = invocation.config
    if invocation.arguments.json:
        config = attrs.evolve(config, answers="json")
    async with open_local(config) as charlotte, charlotte.open_session() as session:
        try:
            answer = await answer_of(session, tool, given)
        except CharlotteError as error:
            invocation.write(error.text or json.dumps(error.as_json(), ensure_ascii=False))
            return FAILED
    # In JSON, the output must stay valid.
    note = partial(print, file=sys.stderr) if invocation.arguments.json else invocation.write
    for block in answer.blocks:
        match block:
            case Text(text):
                invocation.write(text)
            case Image(mime_type=kind):
                is_saved = given.get("save") == "true"
                hint = "" if is_saved else "; pass save=true to write it to a file"
                note(f"(an image, {kind}{hint})")
            case Link(uri):
                note(uri)
    return FAILED if answer.is_error else ANSWERED


async def answer_of(session: Session, tool: str, given: Mapping[str, Any]) -> Answer:
    """Call a tool; while the browser asks its user, wait: leaving would end the question."""
    while True:
        with suppress(NotAllowedYet):
            return await session.call(tool, dict(given))
