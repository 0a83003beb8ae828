"""Ask the browser over the raw protocol for the visible content of a page.

The oracle imports no code of the product, because its answers are compared with the product's.
"""

import json
from pathlib import Path
from typing import Any, cast
from urllib.request import urlopen

import trio

from tests.cdp import open_cdp

Json = dict[str, Any]
_PATIENCE = 60.0
_SCRIPT = (Path(__file__).parent / "oracle.js").read_text("utf-8")


class Oracle:
    """The visible content of the pages of a browser; ``profile`` is its user data directory."""

    def __init__(self, profile: Path) -> None:
        port = (profile / "DevToolsActivePort").read_text("ascii").split("\n")[0]
        self._pages = f"http://127.0.0.1:{port}/json/list"

    def look(self, url: str) -> Json:
        """Return the texts, the focus and the fields of the page at an address."""
        with urlopen(self._pages, timeout=_PATIENCE) as response:  # noqa: S310 - our own browser
            pages: list[Json] = json.load(response)
        [page] = [one for one in pages if one["type"] == "page" and one["url"] == url]
        return cast("Json", json.loads(trio.run(_evaluate, page["webSocketDebuggerUrl"])))


async def _evaluate(address: str) -> str:
    async with open_cdp(address) as cdp:
        return str(await cdp.run("", _SCRIPT))
