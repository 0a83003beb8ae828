"""The page that all agents use: it shows whose it is, a count, and the visitor's storage."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import trio
from starlette.responses import Response

from tests.cluster.chaos.calls import MARK
from tests.cluster.chaos.ledger import Ledger
from tests.site.routes import Request, page
from tests.site.server import Site, open_site

LOG_IN = "document.cookie = 'who={0}'; localStorage.who = '{0}'; 0"
READ = """location.search
  ? [location.search, count, document.cookie, localStorage.who] : ["", 0, "", ""]"""
_MARKUP = """<button id="add">Add</button>
<p role="status" id="shown">Count 0</p>
<p id="stored"></p>
<script>
  var count = 0;
  document.querySelector("#add").onclick = () => {
    count += 1;
    document.querySelector("#shown").textContent = `Count ${count}`;
  };
  document.querySelector("#stored").textContent = `${document.cookie} ${localStorage.who}`;
</script>"""


def desk_path(mark: str, visit: int, page_ms: int) -> str:
    """Return the path of an agent's page, which takes some time to load."""
    return f"/desk?who={mark}&visit={visit}&ms={page_ms}"


@asynccontextmanager
async def open_desks(ledger: Ledger) -> AsyncGenerator[Site]:
    """Serve the pages of all agents on one origin; note cookies of other agents."""

    async def desk(request: Request) -> Response:
        mark, cookie = request.query["who"], request.headers.get("cookie", "")
        if {*MARK.findall(cookie)} - {mark}:
            ledger.fail(f"a page of {mark} was requested with the cookie {cookie}")
        await trio.sleep(float(request.query["ms"]) / 1000)
        return page(f"{mark} visit {request.query['visit']}", _MARKUP)

    async with open_site(routes={"/desk": desk}) as site:
        yield site
