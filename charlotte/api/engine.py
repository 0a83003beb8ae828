"""The types behind a server, for its annotations: on this machine, or on a cluster.

Both have the same methods for the server; their documentation is that of `charlotte.app` and
`charlotte.session`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from charlotte.app import Charlotte
    from charlotte.cluster.dashboard import ClusterDashboard
    from charlotte.cluster.engine import ClusterCharlotte
    from charlotte.cluster.remote_session import RemoteSession
    from charlotte.dashboard_state import DashboardState
    from charlotte.session import Session

    Engine = Charlotte | ClusterCharlotte
    EngineSession = Session | RemoteSession
    DashboardSource = DashboardState | ClusterDashboard
