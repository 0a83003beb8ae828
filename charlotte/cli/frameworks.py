"""The lines with which agent frameworks reach a server over HTTP, and keep their session."""

import secrets

import attrs

from charlotte.cli.clients import PLACEHOLDER, read_table

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
    """A framework of ``frameworks.toml``; ``program`` connects to ``URL`` with ``HEADERS``."""

    name: str
    title: str
    imports: str
    program: str

    def lines(self, url: str | None) -> str:
        """Return the lines for a program, with a session of its own."""
        session = secrets.token_hex(8)
        settings = _SETTINGS.format(url=url or DEFAULT_URL, token=PLACEHOLDER, session=session)
        return f"{self.imports}\n\n{settings}{self.program}\n"


FRAMEWORKS = tuple(Framework(**row) for row in read_table("frameworks.toml"))
BY_NAME = {framework.name: framework for framework in FRAMEWORKS}
