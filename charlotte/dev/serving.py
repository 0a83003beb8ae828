"""Serves a directory over HTTP; importing it imports the web server, which takes its time."""

from pathlib import Path
from socket import socket

from charlotte.asgi_server import Hosting, host
from charlotte.dev.files import files_app


async def serve(listener: socket, root: Path) -> None:
    """Serve the files below a directory to whoever connects, until cancelled."""
    await host(files_app(root), Hosting(listener))
