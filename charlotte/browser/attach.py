"""What every tab's CDP session is told when it attaches."""

from charlotte.browser.probe import init_main_source, probe_source
from charlotte.browser.world import WORLD_NAME
from charlotte.protocol import accessibility, emulation, inspector, network, page, runtime
from charlotte.protocol.session import Session


async def prepare(session: Session, control: Session, viewport: tuple[int, int]) -> page.Frame:
    """Enable the domains, install the probe, set the viewport; returns the main frame.

    A new target waits to be told to run, by the session that was attached to it first. A popup may
    not even have a renderer before; so it is told once all else is on its way.
    """
    width, height = viewport
    *_, tree = await session.call_all(
        inspector.Enable(),
        page.Enable(),
        page.SetLifecycleEventsEnabled(enabled=True),
        network.Enable(),
        accessibility.Enable(),
        emulation.SetFocusEmulationEnabled(enabled=True),
        emulation.SetDeviceMetricsOverride(
            width=width, height=height, device_scale_factor=1, mobile=False
        ),
        page.AddScriptToEvaluateOnNewDocument(source=init_main_source(), run_immediately=True),
        page.AddScriptToEvaluateOnNewDocument(
            source=probe_source(), world_name=WORLD_NAME, run_immediately=True
        ),
        runtime.Enable(),
        page.GetFrameTree(),
        then=lambda: control.send(runtime.RunIfWaitingForDebugger()),
    )
    frame: page.Frame = tree.frame_tree.frame
    return frame
