"""CDP Emulation domain: what we use of it."""

import attrs

from charlotte.protocol.wire import Command, Nothing


@attrs.frozen(kw_only=True)
class SetFocusEmulationEnabled(Command[Nothing]):
    """Keep the page focused and visible, whatever the state of its window."""

    method = "Emulation.setFocusEmulationEnabled"
    enabled: bool


@attrs.frozen(kw_only=True)
class SetDeviceMetricsOverride(Command[Nothing]):
    """Override the viewport size, in CSS px."""

    method = "Emulation.setDeviceMetricsOverride"
    width: int
    height: int
    device_scale_factor: float
    mobile: bool


@attrs.frozen(kw_only=True)
class SetScrollbarsHidden(Command[Nothing]):
    """Set whether scrollbars take room from the page."""

    method = "Emulation.setScrollbarsHidden"
    hidden: bool


@attrs.frozen(kw_only=True)
class SetTouchEmulationEnabled(Command[Nothing]):
    """Set whether the device has a touch screen."""

    method = "Emulation.setTouchEmulationEnabled"
    enabled: bool


@attrs.frozen
class MediaFeature:
    """A CSS media feature and its emulated value; an empty value ends the override."""

    name: str
    value: str


@attrs.frozen(kw_only=True)
class SetEmulatedMedia(Command[Nothing]):
    """Emulate the media type and media features."""

    method = "Emulation.setEmulatedMedia"
    features: list[MediaFeature]


@attrs.frozen(kw_only=True)
class SetLocaleOverride(Command[Nothing]):
    """Override the ICU locale, such as ``de_DE``; None ends the override."""

    method = "Emulation.setLocaleOverride"
    locale: str | None = None


@attrs.frozen(kw_only=True)
class SetTimezoneOverride(Command[Nothing]):
    """Override the time zone by IANA name; an empty name ends the override."""

    method = "Emulation.setTimezoneOverride"
    timezone_id: str


@attrs.frozen(kw_only=True)
class SetGeolocationOverride(Command[Nothing]):
    """Override the location: degrees, and an accuracy in metres."""

    method = "Emulation.setGeolocationOverride"
    latitude: float
    longitude: float
    accuracy: float


@attrs.frozen(kw_only=True)
class ClearGeolocationOverride(Command[Nothing]):
    """End the override of the location."""

    method = "Emulation.clearGeolocationOverride"


@attrs.frozen(kw_only=True)
class SetUserAgentOverride(Command[Nothing]):
    """Override the user agent; an empty string restores the browser's own."""

    method = "Emulation.setUserAgentOverride"
    user_agent: str
    accept_language: str | None = None


@attrs.frozen(kw_only=True)
class SetCpuThrottlingRate(Command[Nothing]):
    """Throttle the CPU; ``rate`` 2 means half the speed."""

    method = "Emulation.setCPUThrottlingRate"
    rate: float
