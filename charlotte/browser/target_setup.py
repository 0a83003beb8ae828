"""What every tab's CDP session is told when it attaches."""

from collections.abc import Awaitable, Callable

from charlotte.browser.emulation_state import (
    UNTOUCHED,
    Desired,
    begin,
    confirm,
    departures,
    frame_departures,
)
from charlotte.browser.isolated_world import WORLD_NAME
from charlotte.browser.probe import (
    FRAME_BINDING,
    TITLE_BINDING,
    init_main_source,
    late_source,
    probe_source,
)
from charlotte.protocol import accessibility, emulation, inspector, network, page, runtime, target
from charlotte.protocol.session import Session

AUTO_ATTACH = target.SetAutoAttach(
    auto_attach=True,
    wait_for_debugger_on_start=True,
    filter=[target.FilterEntry(type="iframe"), target.FilterEntry(type="worker")],
)
"""Frames that live in other processes come with CDP sessions of their own, below their parent's.

So do workers: every worker is held at its start, and one without a session would be so for ever.
"""

BINDINGS = (
    runtime.AddBinding(name=TITLE_BINDING, execution_context_name=WORLD_NAME),
    runtime.AddBinding(name=FRAME_BINDING, execution_context_name=WORLD_NAME),
)

CHOOSERS = page.SetInterceptFileChooserDialog(enabled=True)
"""Nobody is there to choose files in a window: we are told of it instead."""

_CATCH_UP = runtime.Evaluate(expression=late_source(), include_command_line_api=True)
"""Tells the probe of what listened before it came, which only functions of the console know."""


async def prepare(
    session: Session, desired: Desired, release: Callable[[], Awaitable[object]], *, late: bool
) -> page.Frame:
    """Enable the domains, install the probe, make the tab as desired; returns the main frame.

    A new target waits to be told to run, and a popup does not even have a renderer before. So
    ``release`` is called once all of it is on its way, not once it is done. If it is ``late``, the
    first document has begun by then: a popup's that cannot reach its opener.
    """
    begun = await begin(session, departures(UNTOUCHED, desired))
    *_, tree = await session.call_all(
        inspector.Enable(),
        page.Enable(),
        page.SetLifecycleEventsEnabled(enabled=True),
        CHOOSERS,
        network.Enable(),
        accessibility.Enable(),
        emulation.SetFocusEmulationEnabled(enabled=True),
        emulation.SetScrollbarsHidden(hidden=True),
        runtime.Enable(),  # before the bindings, which otherwise begin with the next document
        *BINDINGS,
        *_scripts(desired, late=late),
        AUTO_ATTACH,
        page.GetFrameTree(),
        then=release,
    )
    await confirm(begun)
    if late:
        await session.begin(_CATCH_UP)
    frame: page.Frame = tree.frame_tree.frame
    return frame


async def prepare_frame(session: Session, desired: Desired) -> None:
    """Make the root frame of another process ready to be looked at, and let it run."""
    begun = await begin(session, frame_departures(UNTOUCHED, desired))
    await session.call_all(
        page.Enable(),
        CHOOSERS,
        network.Enable(),
        accessibility.Enable(),
        emulation.SetFocusEmulationEnabled(enabled=True),
        *_scripts(desired),
        runtime.Enable(),
        AUTO_ATTACH,
        runtime.RunIfWaitingForDebugger(),
    )
    await confirm(begun)


async def prepare_worker(session: Session, desired: Desired) -> None:
    """Tell a worker what its page is told, as far as it has such things, and let it run."""
    conditions = frame_departures(UNTOUCHED, desired)
    await begin(session, [*conditions, network.Enable(), runtime.RunIfWaitingForDebugger()])


def _scripts(
    desired: Desired, *, late: bool = False
) -> tuple[page.AddScriptToEvaluateOnNewDocument, ...]:
    """What runs in every document before its own scripts, and ``late`` in one that has begun.

    The probe is lent the functions of the console only where it needs them (accessible.js): to
    lend them, the browser runs a script, and logs an error where it must not.
    """
    return (
        page.AddScriptToEvaluateOnNewDocument(source=init_main_source(), run_immediately=True),
        page.AddScriptToEvaluateOnNewDocument(
            source=probe_source(),
            world_name=WORLD_NAME,
            include_command_line_api=not desired.our_switches,
            run_immediately=True,
        ),
        *(
            page.AddScriptToEvaluateOnNewDocument(source=source, run_immediately=late)
            for source in desired.scripts
        ),
    )
