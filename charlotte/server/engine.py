"""The types behind a server, for its annotations: on this machine, or on a cluster.

Both have the same methods for the server; their documentation is that of `charlotte.api.app` and
`charlotte.api.session`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from charlotte.api.app import Charlotte
    from charlotte.api.session import Session
    from charlotte.cluster.engine import ClusterCharlotte, RemoteSession

    Engine = Charlotte | ClusterCharlotte
    EngineSession = Session | RemoteSession
