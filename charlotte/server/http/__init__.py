"""The server over HTTP, for many clients; importing it imports the HTTP server."""

from charlotte.server.http.serve import bind_port, serve_http

__all__ = ["bind_port", "serve_http"]
