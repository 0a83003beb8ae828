"""The MCP server; importing it imports the SDK."""

from charlotte.server.greeting import Greeting
from charlotte.server.late import LateService
from charlotte.server.serve import serve_stdio

__all__ = ["Greeting", "LateService", "serve_stdio"]
