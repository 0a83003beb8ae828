"""The Ray actors of a group: connecting to the cluster, and finding or creating the actors."""

import secrets
import socket
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import attrs
import outcome
import structlog
import trio

from charlotte.cluster.direct_calls import DirectCalls
from charlotte.cluster.directory import Directory
from charlotte.cluster.host import Host
from charlotte.cluster.host_calls import CALLS, LINKS, ask_host
from charlotte.cluster.messages import (
    GATEWAYS,
    NAMESPACE,
    DirectAddress,
    Hello,
    HostSettings,
    directory_name,
    host_name,
)
from charlotte.cluster.ray_calls import ActorGone, NamedActor, call_actor, import_ray, in_thread
from charlotte.config import Config
from charlotte.errors import ConnectionLost, SessionProblem
from charlotte.protocol.transport import Unreachable

RESOURCE = "browser"
"""The custom resource of nodes that browser hosts need, one each."""
_HEAD = "node:__internal_head__"
_AT_ONCE = 1000
_CONNECT_WAIT = 5.0
_DIRECT_WAIT = 2.0
_CLOSE_WAIT = 10.0
_DIRECTORY_WAIT = 3.0
_DIRECTORY_START_WAIT = 10.0
_OF_GATEWAYS = (
    "address",
    "auth_token",
    "dashboard",
    "drain",
    "engine",
    "session_queue",
    "subject_calls",
    "subject_sessions",
    "subject_tabs",
)
"""Settings that hosts do not get, so that gateways may differ in them."""
_FOREVER = {"max_restarts": -1, "max_task_retries": 0}

log = structlog.get_logger(__name__)


def connect(address: str | None, browsers: int | None = None) -> bool:
    """Connect this process to the cluster, or start one here; return whether it was not yet.

    Raises `SessionProblem` without Ray, or if no cluster answers at the address.
    """
    ray = import_ray()
    if ray.is_initialized():
        return False
    options = {"namespace": NAMESPACE, "log_to_driver": False, "logging_level": "error"}
    try:
        _check_address(address)
        ray.init(address or "auto", **options)
    except Exception as error:
        if address is not None or not isinstance(error, ConnectionError):
            reason = " ".join(str(error).split())[:300].removesuffix(".")
            raise SessionProblem(
                f"The Ray cluster {address or ''} cannot be reached: {reason}.",
                "Check the address, and that `ray status` works on this machine.",
            ) from error
        resources = {RESOURCE: browsers or 1}
        system = {"worker_niceness": 0}  # else browsers run with a low priority
        ray.init(
            "local",
            resources=resources,
            include_dashboard=False,
            _system_config=system,
            **options,
        )
    log.info("connected to a Ray cluster", address=ray.get_runtime_context().gcs_address)
    return True


def _check_address(address: str | None) -> None:
    """Raise `OSError` if nothing listens at an address: Ray would wait for minutes."""
    host, colon, port = (address or "").rpartition("://")[2].rpartition(":")
    if colon and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), _CONNECT_WAIT).close()


def list_hosts(group: str) -> list[str]:
    """Return the names of the hosts of a group that Ray knows; blocks."""
    actors: list[Mapping[str, str]] = import_ray().util.list_named_actors(all_namespaces=True)
    names = [actor["name"] for actor in actors if actor["namespace"] == NAMESPACE]
    return [name for name in names if name.startswith(host_name(group, ""))]


def head_lost() -> ConnectionLost:
    """Return the error for callers while the head of the cluster does not answer."""
    return ConnectionLost(
        "The head of the Ray cluster does not answer.",
        "Repeat the call in a few seconds. Sessions continue once the head is back.",
    )


@attrs.define(eq=False)
class ActorGroup:
    """The actors that some gateways share, or those of one program.

    Detached actors outlive the process that created them.
    """

    config: Config
    browsers: int | None = None
    name: str = attrs.field(
        default=attrs.Factory(
            lambda self: GATEWAYS if self.is_shared else f"program-{secrets.token_hex(4)}",
            takes_self=True,
        )
    )
    _directory: NamedActor = attrs.field(
        default=attrs.Factory(lambda self: NamedActor(self._open_directory), takes_self=True)
    )
    _has_answered: bool = attrs.field(default=False, init=False)

    @property
    def is_shared(self) -> bool:
        """Whether the actors are those of gateways."""
        return self.browsers is None

    @property
    def _lifetime(self) -> Mapping[str, Any]:
        return {"lifetime": "detached"} if self.is_shared else {}

    def count_hosts(self) -> int:
        """Return the number of hosts that the cluster has room for, or already has; blocks.

        Ray counts a lost node for some seconds. A gateway may have created a host for it, which has
        a higher number than those for which there is room, and runs in place of a lost one.
        """
        if self.browsers is not None:
            return self.browsers
        prefix = host_name(self.name, "")
        counts = [int(name.removeprefix(prefix)) + 1 for name in list_hosts(self.name)]
        return max(int(import_ray().cluster_resources().get(RESOURCE, 0)), *counts, 0)

    async def ask_directory(self, method: str, *arguments: Any) -> Any:
        """Call a method of the directory; raises `ConnectionLost` without the head, within seconds.

        A directory that has ended is created again by the next call.
        """
        wait = _DIRECTORY_WAIT if self._has_answered else _DIRECTORY_START_WAIT
        with trio.move_on_after(wait):
            with suppress(ActorGone):
                result = await self._directory.call(method, *arguments)
                self._has_answered = True
                return result
        raise head_lost()

    def _open_directory(self) -> Any:
        kind = (
            import_ray()
            .remote(Directory)
            .options(
                name=directory_name(self.name),
                namespace=NAMESPACE,
                get_if_exists=True,
                num_cpus=0,
                resources={_HEAD: 0.001},
                max_concurrency=_AT_ONCE,
                **self._lifetime,
                **_FOREVER,
            )
        )
        idle = self.config.session_idle
        return kind.remote(self.name, is_detached=self.is_shared, idle=idle)

    def host(self, number: int, nursery: trio.Nursery) -> "HostActor":
        """Return a host, which is created with its first call; connections use the nursery."""
        return HostActor(self, host_name(self.name, number), nursery)

    def settings(self, name: str) -> HostSettings:
        """Return the settings of a host: those of the gateway without those of its clients."""
        config = attrs.asdict(self.config, recurse=False)
        default = Config()
        config |= {setting: getattr(default, setting) for setting in _OF_GATEWAYS} | {"port": 0}
        slots = self.config.max_sessions
        return HostSettings(name=name, group=self.name, config=config, slots=slots)

    def open_host(self, name: str) -> Any:
        """Return the actor of a host, which is created if it does not exist; blocks."""
        config = self.config
        kind = (
            import_ray()
            .remote(concurrency_groups=LINKS)(Host)
            .options(
                name=name,
                namespace=NAMESPACE,
                get_if_exists=True,
                num_cpus=config.host_cpus,
                resources={RESOURCE: 1} if self.is_shared else {},
                scheduling_strategy="SPREAD",
                max_concurrency=CALLS,
                **self._lifetime,
                **_FOREVER,
            )
        )
        return kind.remote(self.settings(name))

    async def close(self) -> None:
        """End the directory of a program."""
        if not self.is_shared:
            await in_thread(self._directory.kill)


@attrs.define(eq=False)
class HostActor:
    """A host's actor, and the connection to it.

    A dead actor is created again when a gateway greets it.
    """

    _group: ActorGroup
    name: str
    _nursery: trio.Nursery
    _actor: Any = None
    _direct: DirectCalls | None = None
    """None if Ray carries the calls."""
    _unreachable: str = ""

    async def call(self, method: str, *arguments: Any) -> outcome.Outcome[Any]:
        """Return the outcome of a method of the host; raises `ActorGone`."""
        if method == "hello":
            return outcome.Value(await self._greet(*arguments))
        if self._direct is not None:
            return await self._direct.ask(method, *arguments)
        return await ask_host(self._actor, method, *arguments)

    async def _greet(self, gateway: str) -> Hello:
        self.disconnect()
        digests = self._group.settings(self.name).digests()
        try:
            if self._actor is None:
                self._actor = await in_thread(self._group.open_host, self.name)
            result = await ask_host(self._actor, "hello", gateway, digests)
        except ActorGone:
            self._actor = None
            raise
        hello: Hello = result.unwrap()
        await self._check(hello)
        if hello.direct is not None and not await self._connect(hello.direct):
            return attrs.evolve(hello, direct=None)
        return hello

    async def _connect(self, address: DirectAddress) -> bool:
        """Connect to the host, and return whether that succeeded; else Ray carries its calls."""
        self._direct = direct = DirectCalls()
        problem = f"no answer within {_DIRECT_WAIT:g} s"
        with trio.move_on_after(_DIRECT_WAIT):
            try:
                await self._nursery.start(direct.run, address)
            except Exception as error:  # noqa: BLE001 - a proxy may answer in many ways
                reason = error.reason if isinstance(error, Unreachable) else repr(error)
                problem = reason[:300]
            else:
                return True
        self.disconnect()
        if self._unreachable != address.url:
            self._unreachable = address.url
            log.warning(
                "a browser host cannot be reached without Ray, so its calls take longer",
                host=self.name,
                address=address.url,
                error=problem,
            )
        return False

    async def _check(self, hello: Hello) -> None:
        """Replace an idle host that has the settings of an earlier gateway."""
        if not hello.other_settings:
            return
        if not hello.is_idle:
            log.warning(
                "a browser host has other settings than this gateway, which places no sessions "
                "there until all gateways with those settings have ended",
                host=self.name,
                settings=", ".join(hello.other_settings),
            )
            return
        await self.close()
        self._actor = None
        raise ActorGone("The host is being replaced.")

    def disconnect(self) -> None:
        """Close the connection to the host, if there is one."""
        if self._direct is not None:
            self._direct.close()
            self._direct = None

    async def close(self) -> None:
        """End the host with its browser."""
        if self._actor is not None:
            try:
                with trio.move_on_after(_CLOSE_WAIT):
                    await call_actor(self._actor, "close")
            finally:
                with trio.move_on_after(_CLOSE_WAIT, shield=True):
                    await in_thread(import_ray().kill, self._actor)
