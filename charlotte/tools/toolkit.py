"""The tools as typed methods of sessions and tabs, for programs.

The same classes serve trio and asyncio: each kind of session implements `run_tool`. Parameters
about an answer's text (``detail``, ``max_chars``, ``cursor``) affect ``str(page)`` only; the
objects that methods return are complete.
"""

import functools
import inspect
import pkgutil
from collections.abc import Callable, Coroutine, Mapping
from importlib import import_module
from pathlib import PurePath
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, get_args, get_type_hints, overload

import attrs
import cattrs

import charlotte.tools as tool_modules
from charlotte.base.errors import InvalidArgument
from charlotte.base.patterns import glob_matches
from charlotte.config.setting import nearest
from charlotte.guard.rules import Policy
from charlotte.tools import (
    dev,
    emulation,
    filling,
    gestures,
    interaction,
    keys,
    monitoring,
    screenshots,
    selecting,
)
from charlotte.tools import page_tools as offered_tools
from charlotte.tools import tabs as tab_tools
from charlotte.tools.batch import batch
from charlotte.tools.find import find
from charlotte.tools.observe import diff, observe
from charlotte.tools.run import run
from charlotte.tools.schema.arguments import Capability, public_name
from charlotte.tools.schema.tool import Tool
from charlotte.tools.session import configure, tools
from charlotte.tools.storage import clear_cookies, get_cookies, set_cookies, storage

P = ParamSpec("P")
R = TypeVar("R")

_converter = cattrs.Converter()
_converter.register_unstructure_hook(PurePath, str)


class Method(Generic[P, R]):
    """A tool as a method of a session or tab, with its parameters in signature and docstring."""

    def __init__(self, tool: Tool[P, R]) -> None:
        self.tool = tool

    @overload
    def __get__(
        self, runner: None, owner: type
    ) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]: ...
    @overload
    def __get__(
        self, runner: "PageMethods", owner: type
    ) -> Callable[P, Coroutine[Any, Any, R]]: ...
    def __get__(self, runner: "PageMethods | None", owner: type) -> Callable[..., Any]:
        """Return the function, bound to ``runner`` unless the class is asked."""
        return self._function if runner is None else MethodType(self._function, runner)

    @functools.cached_property
    def _function(self) -> Callable[..., Coroutine[Any, Any, R]]:
        signature = self._signature

        async def call(*args: Any, **kwargs: Any) -> R:
            runner, *_ = args
            given = signature.bind(*args, **kwargs).arguments
            arguments = {
                public_name(name): _converter.unstructure(value)
                for name, value in given.items()
                if value is not None and name != "self"
            }
            value: R = await runner.run_tool(self.tool, arguments)
            return value

        call.__name__ = call.__qualname__ = self.tool.name
        call.__doc__ = self.tool.description
        vars(call)["__signature__"] = signature
        return call

    @functools.cached_property
    def _signature(self) -> inspect.Signature:
        """The signature of the tool with ``self``, without the annotations of its schema."""
        whole = inspect.signature(self.tool.handler)
        types = get_type_hints(self.tool.handler)
        first, *others = whole.parameters.values()
        parameters = [parameter.replace(annotation=types[parameter.name]) for parameter in others]
        runner = first.replace(name="self", annotation=inspect.Parameter.empty)
        return whole.replace(parameters=[runner, *parameters], return_annotation=self.tool.returns)


class PageMethods:
    """The tools that work on a page: the page of a `Tab`, or of a session's active tab."""

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        """Run a tool; return the value of its answer, raise its `CharlotteError`."""
        raise NotImplementedError

    navigate = Method(tab_tools.navigate)
    back = Method(tab_tools.back)
    forward = Method(tab_tools.forward)
    reload = Method(tab_tools.reload)
    observe = Method(observe)
    find = Method(find)
    screenshot = Method(screenshots.screenshot)
    diff = Method(diff)
    click = Method(gestures.click)
    click_at = Method(gestures.click_at)
    type = Method(keys.type_)
    select = Method(filling.select)
    toggle = Method(filling.toggle)
    submit = Method(filling.submit)
    fill_form = Method(filling.fill_form)
    upload = Method(filling.upload)
    scroll = Method(gestures.scroll)
    hover = Method(gestures.hover)
    drag = Method(gestures.drag)
    select_text = Method(selecting.select_text)
    clipboard = Method(selecting.clipboard)
    key = Method(keys.key)
    wait_for = Method(interaction.wait_for)
    dialog = Method(tab_tools.dialog)
    evaluate = Method(interaction.evaluate)
    page_tools = Method(offered_tools.page_tools)
    page_tool_call = Method(offered_tools.page_tool_call)
    console = Method(monitoring.console)
    requests = Method(monitoring.requests)
    viewport = Method(emulation.viewport)
    network = Method(emulation.network)
    set_cookies = Method(set_cookies)
    get_cookies = Method(get_cookies)
    clear_cookies = Method(clear_cookies)
    set_headers = Method(emulation.set_headers)
    storage = Method(storage)
    pdf = Method(screenshots.pdf)
    dev_serve = Method(dev.dev_serve)
    dev_inject = Method(dev.dev_inject)
    dev_audit = Method(dev.dev_audit)


class Tab(PageMethods):
    """One tab of a session: every tool that works on a page, as a method."""

    def __init__(self, session: PageMethods, tab_id: str) -> None:
        self._session = session
        self.id = tab_id

    def __repr__(self) -> str:
        return f"<Tab {self.id}>"

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        """Run a tool on this tab."""
        return await self._session.run_tool(tool, {**arguments, "tab_id": self.id})

    async def activate(self) -> None:
        """Make this tab the active one, which the session's own methods work on."""
        await self.run_tool(tab_tools.tab_switch, {"detail": "minimal"})

    async def close(self) -> None:
        """Close this tab, whatever its page is doing."""
        await self.run_tool(tab_tools.tab_close, {})


@attrs.define(eq=False, slots=False)  # a base beside others with slots
class ToolListeners:
    """The callbacks for changes of a session's list of tools."""

    _listeners: list[Callable[[], None]] = attrs.field(factory=list[Callable[[], None]], init=False)

    def on_change(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback`` when `listed` changes; return a function to stop."""
        self._listeners.append(callback)

        def end() -> None:
            if callback in self._listeners:
                self._listeners.remove(callback)

        return end

    def _notify(self) -> None:
        for listener in tuple(self._listeners):
            listener()


class SessionMethods(PageMethods):
    """All tools; those that work on a page use the active tab."""

    tabs = Method(tab_tools.tabs)
    tab_open = Method(tab_tools.tab_open)
    tab_switch = Method(tab_tools.tab_switch)
    tab_close = Method(tab_tools.tab_close)
    batch = Method(batch)
    run = Method(run)
    configure = Method(configure)
    tools = Method(tools)

    def tab(self, tab_id: str) -> Tab:
        """Return the handle of an open tab without checking that it exists."""
        return Tab(self, tab_id)

    async def open_tab(self, url: str | None = None) -> Tab:
        """Open a tab, make it active, and wait until its page has loaded.

        Raises:
            CharlotteError: as ``tab_open`` does; no tab is open then.
        """
        page = await self.tab_open(url, detail="minimal")
        return Tab(self, page.tab_id)


def _find_tools() -> tuple[Tool, ...]:
    """Return the tools of all other modules of this package."""
    found: dict[str, Tool] = {}
    for module in pkgutil.iter_modules(tool_modules.__path__, f"{tool_modules.__name__}."):
        if module.name != __name__:
            members = vars(import_module(module.name)).values()
            found |= {member.name: member for member in members if isinstance(member, Tool)}
    return tuple(sorted(found.values(), key=lambda tool: (tool.position, tool.name)))


CATALOG = _find_tools()
"""All tools, in the order in which they are listed."""


def check_policy_tools(policy: Policy) -> None:
    """Raise `InvalidArgument` for a rule about no tool, or with an origin that cannot limit it."""
    capabilities = get_args(Capability)
    names = [*(tool.name for tool in CATALOG), *capabilities]
    calls = {name: {name} for name in capabilities} | {"scripts": {"scripts", "evaluate"}}
    for rule in policy.rules:
        anywhere = attrs.evolve(rule, origin=())
        beyond = [name for name in (*capabilities, "evaluate") if name in rule.tool]
        beyond += [name for name, used in calls.items() if anywhere.matches_call(used, "")]
        if rule.origin and beyond:
            raise InvalidArgument(
                f"{rule.source}: {beyond[0]!r} takes no origin: such calls work in frames, other "
                "tabs and later documents too. Leave origin out, or exclude them from tool."
            )
        for pattern in (name.removeprefix("!") for name in rule.tool):
            if not any(glob_matches(pattern, name) for name in names):
                raise InvalidArgument(
                    f"{rule.source}: tool names no tool and no capability: "
                    f"{pattern!r}{nearest(pattern, names)}."
                )


# A declaration above gives a method its types; a tool without one works all the same.
for _tool in CATALOG:
    if not _tool.hidden and not hasattr(SessionMethods, _tool.name):
        setattr(PageMethods if _tool.tab else SessionMethods, _tool.name, Method(_tool))
