"""The MCP server; the only package that imports mcp."""
