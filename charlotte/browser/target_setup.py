"""Commands that prepare each CDP session of a tab, frame or worker."""

from collections.abc import Awaitable, Callable

from charlotte.browser.emulation_state import (
    UNCHANGED,
    EmulationState,
    begin,
    changed_commands,
    changed_frame_commands,
    confirm,
)
from charlotte.browser.isolated_world import WORLD_NAME
from charlotte.browser.probe import (
    FRAME_BINDING,
    TITLE_BINDING,
    init_main_source,
    late_source,
    probe_source,
)
from charlotte.protocol import dom, emulation, network, page, runtime, target
from charlotte.protocol.connection import Session

AUTO_ATTACH = target.SetAutoAttach(
    auto_attach=True,
    wait_for_debugger_on_start=True,
    filter=[target.FilterEntry(type="iframe"), target.FilterEntry(type="worker")],
)
"""Attaches to out-of-process frames and workers with child sessions.

Every worker is paused at its start, and would stay paused without a session.
"""

BINDINGS = (
    runtime.AddBinding(name=TITLE_BINDING, execution_context_name=WORLD_NAME),
    runtime.AddBinding(name=FRAME_BINDING, execution_context_name=WORLD_NAME),
)

CHOOSERS = page.SetInterceptFileChooserDialog(enabled=True)
"""File choosers are reported as events instead of opened."""

_CATCH_UP = runtime.Evaluate(expression=late_source(), include_command_line_api=True)
"""Passes earlier event listeners to the probe, which only the command line API can list."""


async def prepare(
    session: Session,
    desired: EmulationState,
    release: Callable[[], Awaitable[object]],
    *,
    late: bool,
) -> page.FrameInfo:
    """Enable domains, install the probe and apply emulation; return the main frame.

    A new target is paused, and a popup has no renderer before it runs. So ``release`` is called
    once
    all commands are sent. With ``late``, the first document has begun before: that of a popup
    without
    opener.
    """
    begun = await begin(session, changed_commands(UNCHANGED, desired))
    *_, tree = await session.call_all(
        target.EnableInspector(),
        page.EnablePage(),
        page.SetLifecycleEventsEnabled(enabled=True),
        CHOOSERS,
        network.EnableNetwork(),
        dom.EnableAccessibility(),
        emulation.SetFocusEmulationEnabled(enabled=True),
        emulation.SetScrollbarsHidden(hidden=True),
        runtime.EnableRuntime(),
        *BINDINGS,  # sent before, they would apply only to the next document
        *_scripts(desired, late=late),
        AUTO_ATTACH,
        page.GetFrameTree(),
        then=release,
    )
    await confirm(begun)
    if late:
        await session.begin(_CATCH_UP)
    frame: page.FrameInfo = tree.frame
    return frame


async def prepare_frame(session: Session, desired: EmulationState) -> None:
    """Prepare the root frame of another process and let it run."""
    begun = await begin(session, changed_frame_commands(UNCHANGED, desired))
    await session.call_all(
        page.EnablePage(),
        CHOOSERS,
        network.EnableNetwork(),
        dom.EnableAccessibility(),
        emulation.SetFocusEmulationEnabled(enabled=True),
        *_scripts(desired),
        runtime.EnableRuntime(),
        AUTO_ATTACH,
        runtime.RunIfWaitingForDebugger(),
    )
    await confirm(begun)


async def prepare_worker(session: Session, desired: EmulationState) -> None:
    """Apply the settings of its page to a worker, as far as they exist there, and let it run."""
    conditions = changed_frame_commands(UNCHANGED, desired)
    await begin(session, [*conditions, network.EnableNetwork(), runtime.RunIfWaitingForDebugger()])


def _scripts(
    desired: EmulationState, *, late: bool = False
) -> tuple[page.AddScriptToEvaluateOnNewDocument, ...]:
    """Return the scripts for every new document; with ``late``, also for the present one.

    The command line API is included only if the probe needs it (see accessible.js): including it
    makes the browser run a script, which can log an error.
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
