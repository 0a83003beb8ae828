"""CDP Emulation domain: what we use of it."""

import attrs

from charlotte.protocol.wire import Command, Nothing


@attrs.frozen(kw_only=True)
class SetFocusEmulationEnabled(Command[Nothing]):
    """Let the page think it is focused and visible, whatever its window does."""

    method = "Emulation.setFocusEmulationEnabled"
    enabled: bool


@attrs.frozen(kw_only=True)
class SetDeviceMetricsOverride(Command[Nothing]):
    """The viewport, in CSS px."""

    method = "Emulation.setDeviceMetricsOverride"
    width: int
    height: int
    device_scale_factor: float
    mobile: bool


@attrs.frozen(kw_only=True)
class SetScrollbarsHidden(Command[Nothing]):
    """Whether scrollbars take room from the page."""

    method = "Emulation.setScrollbarsHidden"
    hidden: bool
