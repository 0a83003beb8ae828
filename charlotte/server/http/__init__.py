"""The server over HTTP, for many clients; importing it imports the HTTP server."""

from charlotte.server.http.serve import serve_http
from charlotte.server.http.transport import Port

__all__ = ["Port", "serve_http"]
