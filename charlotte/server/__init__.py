"""The MCP server; importing it imports the SDK."""

from charlotte.server.greeting import greeting_of
from charlotte.server.late import LateService
from charlotte.server.serve import serve_stdio

__all__ = ["LateService", "greeting_of", "serve_stdio"]
