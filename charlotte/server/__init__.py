"""The MCP server; importing it imports the SDK."""

from charlotte.server.mcp_server import build_greeting
from charlotte.server.serve import serve_stdio
from charlotte.server.stdio_service import LazyService

__all__ = ["LazyService", "build_greeting", "serve_stdio"]
