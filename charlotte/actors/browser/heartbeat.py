"""Heartbeat of the browser: a frozen browser process is restarted like a crashed one."""

from typing import NoReturn

import structlog
import trio

from charlotte.errors import ConnectionLost
from charlotte.protocol import target
from charlotte.protocol.connection import Connection
from charlotte.protocol.network import GetCookies

log = structlog.get_logger(__name__)

INTERVAL = 5.0
PATIENCE = 15.0
"""Seconds; on a machine under load, a healthy browser may need some of them to answer."""


async def check_heartbeat(connection: Connection) -> NoReturn:
    """Raise `ConnectionLost` once the browser process has not answered for `PATIENCE` seconds."""
    while True:
        await trio.sleep(INTERVAL)
        with trio.move_on_after(PATIENCE) as scope:
            await connection.root.call(target.GetVersion())
            await connection.root.call(GetCookies())  # answered by the network service
        if scope.cancelled_caught:
            log.warning("browser frozen", seconds=PATIENCE)
            raise ConnectionLost(
                f"The browser has not answered for {PATIENCE:.0f} s and is being restarted.",
                "Repeat the call in a few seconds; the tabs are restored at their URLs.",
            )
