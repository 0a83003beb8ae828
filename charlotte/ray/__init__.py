"""Charlotte on a Ray cluster, for asyncio programs; see `charlotte.cluster.aio`."""

from charlotte.cluster.aio import RayCharlotte, RaySession, open_charlotte

__all__ = ["RayCharlotte", "RaySession", "open_charlotte"]
