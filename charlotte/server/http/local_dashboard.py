"""The dashboard of a server over stdio: a listener of its own, for people on this machine."""

from secrets import token_urlsafe

import structlog
from starlette.applications import Starlette

from charlotte.api.dashboard_state import DashboardState
from charlotte.base.asgi_server import host
from charlotte.config.config import Config
from charlotte.server.http.access import BearerAuth, HostGuard, SharedToken, build_host_names
from charlotte.server.http.dashboard import PATH, Dashboard
from charlotte.server.http.serve import bind_port

_LOCAL = Config(port=0)
"""A free port of 127.0.0.1, whatever the settings of a server over HTTP are."""

log = structlog.get_logger(__name__)


async def serve_local_dashboard(state: DashboardState) -> None:
    """Serve the dashboard until cancelled; log its address, which ends with a random token.

    If no port can be opened, a warning is logged: calls do not need the dashboard.
    """
    try:
        bound = bind_port(_LOCAL)
    except OSError as error:
        log.warning("the dashboard cannot be served", host=_LOCAL.host, error=error.strerror)
        return
    port, token = bound.getsockname()[1], token_urlsafe()
    state.set_port(port)
    routes = [*Dashboard(state).routes(lambda app: BearerAuth(app, [SharedToken(token)]))]
    guarded = HostGuard(Starlette(routes=routes), build_host_names(_LOCAL))
    address = f"http://{_LOCAL.host}:{port}{PATH}/#token={token}"
    log.warning("the dashboard is served", address=address)
    await host(guarded, bound)
