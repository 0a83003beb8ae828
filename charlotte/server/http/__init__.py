"""The server over HTTP, for many clients; importing it imports the HTTP server."""

from charlotte.server.http.serve import Port, serve_http

__all__ = ["Port", "serve_http"]
