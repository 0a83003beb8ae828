"""The MCP server; importing it imports the SDK."""

from charlotte.server.mcp_server import build_greeting
from charlotte.server.serve import LazyService, serve_stdio

__all__ = ["LazyService", "build_greeting", "serve_stdio"]
