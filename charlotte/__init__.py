"""A browser for AI agents: an MCP server, and the same supervisor inside a trio program.

    async with open_charlotte(Config(viewport="1024x768")) as charlotte:
        async with charlotte.open_session() as session:
            page = await session.navigate("https://example.org")
            await session.click(page.element("More information").id)

Every tool of the server is a method of the session and returns an object; ``session.call`` runs a
tool by name and returns the answer for agents. Both raise a `CharlotteError` on failure. Sessions
are isolated from one another; calls on different tabs run in parallel.
"""

from importlib import import_module

from charlotte.base.version import __version__ as __version__

TYPE_CHECKING = False  # importing typing would lengthen the start of each command

if TYPE_CHECKING:
    from charlotte.api.public import *  # noqa: F403


def __getattr__(name: str) -> object:
    """Import a name on first use: the server greets its client before it loads the rest."""
    public = vars(import_module("charlotte.api.public"))
    if name == "__all__":
        return ["__version__", *(each for each in public if not each.startswith("_"))]
    if name.startswith("_") or name not in public:
        raise AttributeError(f"module 'charlotte' has no attribute {name!r}")
    return public[name]
