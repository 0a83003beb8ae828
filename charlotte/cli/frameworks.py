"""The lines with which agent frameworks reach a server over HTTP, and keep their session."""

import secrets

import attrs

from charlotte.cli.clients import PLACEHOLDER

DEFAULT_URL = "http://127.0.0.1:3737/mcp"

_SETTINGS = """\
URL = "{url}"
HEADERS = {{
    "Authorization": "{token}",
    "Charlotte-Session": "{session}",  # another value is another session
}}
"""


@attrs.frozen
class Framework:
    """A framework; ``program`` connects to ``URL`` with ``HEADERS``."""

    name: str
    title: str
    imports: str
    program: str

    def lines(self, url: str | None) -> str:
        """Return the lines for a program, with a session of its own."""
        session = secrets.token_hex(8)
        settings = _SETTINGS.format(url=url or DEFAULT_URL, token=PLACEHOLDER, session=session)
        return f"{self.imports}\n\n{settings}{self.program}\n"


FRAMEWORKS = (
    Framework(
        "fastmcp",
        "FastMCP",
        "from fastmcp import Client\nfrom fastmcp.client.transports import StreamableHttpTransport",
        "client = Client(StreamableHttpTransport(URL, headers=HEADERS))",
    ),
    Framework(
        "openai-agents",
        "OpenAI Agents SDK",
        "from agents.mcp import MCPServerStreamableHttp",
        "server = MCPServerStreamableHttp(\n"
        '    params={"url": URL, "headers": HEADERS}, client_session_timeout_seconds=60\n'
        ")",
    ),
    Framework(
        "pydantic-ai",
        "Pydantic AI",
        "from pydantic_ai.mcp import MCPToolset",
        "toolset = MCPToolset(URL, headers=HEADERS)",
    ),
    Framework(
        "langchain",
        "LangChain",
        "from langchain_mcp_adapters.client import MultiServerMCPClient",
        "client = MultiServerMCPClient(\n"
        '    {"charlotte": {"transport": "http", "url": URL, "headers": HEADERS}}\n'
        ")",
    ),
)
BY_NAME = {framework.name: framework for framework in FRAMEWORKS}
