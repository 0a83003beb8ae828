"""Help for ``charlotte do`` and its tools; `charlotte.shell.client` runs the commands."""

from charlotte.cli.arguments import help_of, list_tools
from charlotte.cli.invocation import ANSWERED, MISUSED, Invocation
from charlotte.cli.parser import build_parser
from charlotte.tools.schema.tool import Toolbox, UnknownTool
from charlotte.tools.toolkit import CATALOG

ARGUMENTS = "[ARGUMENT …] [name=value …]"


async def run(invocation: Invocation) -> int:
    """Print the help of ``charlotte do`` or of a tool, or list the tools."""
    arguments, write = invocation.arguments, invocation.write
    toolbox = Toolbox(CATALOG, profile="full", naming="bare")
    if arguments.tool is None:
        help_text = build_parser().subparsers["do"].format_help().rstrip()
        write(help_text if arguments.help else "\n".join(list_tools(toolbox, "do")))
        return ANSWERED
    try:
        write("\n".join(help_of(toolbox.find(arguments.tool), "do", ARGUMENTS)))
    except UnknownTool as error:
        write(f"{error}\nRun 'charlotte do' for a list of the tools.")
        return MISUSED
    return ANSWERED
