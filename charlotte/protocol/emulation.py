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


@attrs.frozen(kw_only=True)
class SetTouchEmulationEnabled(Command[Nothing]):
    """Whether the device has a touch screen."""

    method = "Emulation.setTouchEmulationEnabled"
    enabled: bool


@attrs.frozen
class MediaFeature:
    """A media feature of CSS and the value it is to have; an empty one ends the override."""

    name: str
    value: str


@attrs.frozen(kw_only=True)
class SetEmulatedMedia(Command[Nothing]):
    """What media queries see."""

    method = "Emulation.setEmulatedMedia"
    features: list[MediaFeature]


@attrs.frozen(kw_only=True)
class SetLocaleOverride(Command[Nothing]):
    """The ICU locale, as ``de_DE``; None ends the override."""

    method = "Emulation.setLocaleOverride"
    locale: str | None = None


@attrs.frozen(kw_only=True)
class SetTimezoneOverride(Command[Nothing]):
    """The time zone by its IANA name; an empty one ends the override."""

    method = "Emulation.setTimezoneOverride"
    timezone_id: str


@attrs.frozen(kw_only=True)
class SetGeolocationOverride(Command[Nothing]):
    """Where the device is: degrees, and metres of accuracy."""

    method = "Emulation.setGeolocationOverride"
    latitude: float
    longitude: float
    accuracy: float


@attrs.frozen(kw_only=True)
class ClearGeolocationOverride(Command[Nothing]):
    """The device is where it is."""

    method = "Emulation.clearGeolocationOverride"


@attrs.frozen(kw_only=True)
class SetUserAgentOverride(Command[Nothing]):
    """What the browser calls itself; an empty name is its own."""

    method = "Emulation.setUserAgentOverride"
    user_agent: str
    accept_language: str | None = None


@attrs.frozen(kw_only=True)
class SetCpuThrottlingRate(Command[Nothing]):
    """How many times slower the processor is."""

    method = "Emulation.setCPUThrottlingRate"
    rate: float
