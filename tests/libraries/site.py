"""Bundle the component libraries and serve their pages."""

import os
import subprocess
import threading
from collections.abc import Collection, Generator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

INSTALLED = os.environ.get("LIBRARIES", "")
MARKS = [
    pytest.mark.chromium,
    pytest.mark.fault,
    pytest.mark.skipif(not INSTALLED, reason="make test-libraries installs them"),
]
_PAGES = Path(__file__).parent / "pages"
_PAGE = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{0}</title>
<link rel="icon" href="data:,">{1}<div id="app"></div><script src="/{0}.js"></script></html>"""
_STYLE = '<link rel="stylesheet" href="/{0}.css">'
_FILES = ("svg", "ttf", "woff", "woff2", "eot", "png", "gif")
_BUNDLE = (
    "--bundle", "--minify", "--jsx=automatic", "--log-level=error",
    *(f"--loader:.{kind}=dataurl" for kind in _FILES),
    '--define:process.env.NODE_ENV="production"', "--define:__VUE_OPTIONS_API__=true",
    "--define:__VUE_PROD_DEVTOOLS__=false",
    "--define:__VUE_PROD_HYDRATION_MISMATCH_DETAILS__=false",
)  # fmt: skip


def bundle(installed: Path, names: Collection[str]) -> Path:
    """Bundle libraries with their pages and workers; return the directory of the bundles."""
    bundler, built = installed / "node_modules/.bin/esbuild", installed / "built"
    scripts = _PAGES.glob("*.jsx")
    pages = sorted(str(one) for one in scripts if one.stem.removesuffix("_worker") in names)
    modules = {**os.environ, "NODE_PATH": str(installed / "node_modules")}
    subprocess.run([bundler, *pages, *_BUNDLE, f"--outdir={built}"], check=True, env=modules)  # noqa: S603
    return built


class _Handler(SimpleHTTPRequestHandler):
    """A handler for the bundles, and for ``/LIBRARY``, the page that loads one."""

    def do_GET(self) -> None:
        name = urlsplit(self.path).path.strip("/")
        if "." in name:
            super().do_GET()
            return
        has_style = (Path(self.directory) / f"{name}.css").exists()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        page = _PAGE.format(name, _STYLE.format(name) if has_style else "")
        self.wfile.write(page.encode())

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - its name there
        """Log nothing."""


@contextmanager
def serve(built: Path) -> Generator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(built)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
