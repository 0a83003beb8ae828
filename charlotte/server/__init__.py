"""The MCP server; importing it imports the SDK."""

from charlotte.server.serve import LazyService, serve_stdio

__all__ = ["LazyService", "serve_stdio"]
