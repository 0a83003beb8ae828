"""Serve the tracker on the port of the command line."""

import os
import re
import sys
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from roundup.cgi.wsgi_handler import RequestDispatcher


class Server(ThreadingMixIn, WSGIServer):
    """A server whose threads end with it."""

    daemon_threads = True


class Handler(WSGIRequestHandler):
    """A handler without a log."""

    def log_message(self, *_: object) -> None:
        """Log nothing."""


def main() -> None:
    """Write the address into the configuration, then serve."""
    home, port = Path(os.environ["TASKS_DATA"], "tracker"), sys.argv[1]
    config = home / "config.ini"
    web = re.sub(r"(?m)^web = .*$", f"web = http://127.0.0.1:{port}/", config.read_text())
    config.write_text(web)
    application = RequestDispatcher(str(home))
    with make_server("127.0.0.1", int(port), application, Server, Handler) as server:
        server.serve_forever()


if __name__ == "__main__":
    main()
