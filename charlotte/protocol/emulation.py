"""CDP Emulation domain."""

import attrs

from charlotte.protocol.wire import Command, Nothing, bare_command

ClearGeolocationOverride = bare_command("Emulation.clearGeolocationOverride")


class SetFocusEmulationEnabled(Command[Nothing], method="Emulation.setFocusEmulationEnabled"):
    """Keep the page focused and visible, whatever the state of its window."""

    enabled: bool


class SetDeviceMetricsOverride(Command[Nothing], method="Emulation.setDeviceMetricsOverride"):
    """Override the viewport size, in CSS px."""

    width: int
    height: int
    device_scale_factor: float
    mobile: bool


class SetScrollbarsHidden(Command[Nothing], method="Emulation.setScrollbarsHidden"):
    """Set whether scrollbars take room from the page."""

    hidden: bool


class SetTouchEmulationEnabled(Command[Nothing], method="Emulation.setTouchEmulationEnabled"):
    """Set whether the device has a touch screen."""

    enabled: bool


@attrs.frozen
class MediaFeature:
    """A CSS media feature and its emulated value; an empty value ends the override."""

    name: str
    value: str


class SetEmulatedMedia(Command[Nothing], method="Emulation.setEmulatedMedia"):
    """Emulate the media type, with "" that of the device, and media features."""

    media: str
    features: list[MediaFeature]


class SetLocaleOverride(Command[Nothing], method="Emulation.setLocaleOverride"):
    """Override the ICU locale, such as ``de_DE``; None ends the override."""

    locale: str | None = None


class SetTimezoneOverride(Command[Nothing], method="Emulation.setTimezoneOverride"):
    """Override the time zone by IANA name; an empty name ends the override."""

    timezone_id: str


class SetGeolocationOverride(Command[Nothing], method="Emulation.setGeolocationOverride"):
    """Override the location: degrees, and an accuracy in metres."""

    latitude: float
    longitude: float
    accuracy: float


class SetUserAgentOverride(Command[Nothing], method="Emulation.setUserAgentOverride"):
    """Override the user agent; an empty string restores the browser's own."""

    user_agent: str
    accept_language: str | None = None


class SetCpuThrottlingRate(Command[Nothing], method="Emulation.setCPUThrottlingRate"):
    """Throttle the CPU; ``rate`` 2 means half the speed."""

    rate: float
