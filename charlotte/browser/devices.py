"""Device presets: viewport sizes in CSS px and, for phones and tablets, touch and user agent."""

from collections.abc import Mapping

import attrs

from charlotte.browser.emulation_state import Device
from charlotte.errors import InvalidArgument

_IOS = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)
_IPAD = (
    "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)
_ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 "
    "(KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"
)


def _handheld(width: int, height: int, scale: float, user_agent: str) -> Device:
    return Device(width=width, height=height, scale=scale, mobile=True, user_agent=user_agent)


DEVICES: Mapping[str, Device] = {
    "mobile": Device(width=375, height=667),
    "tablet": Device(width=768, height=1024),
    "desktop": Device(width=1280, height=720),
    "iPhone SE": _handheld(375, 667, 2, _IOS),
    "iPhone 12": _handheld(390, 844, 3, _IOS),
    "iPhone 13": _handheld(390, 844, 3, _IOS),
    "iPhone 14": _handheld(390, 844, 3, _IOS),
    "iPhone 14 Pro Max": _handheld(430, 932, 3, _IOS),
    "iPhone 15": _handheld(393, 852, 3, _IOS),
    "iPhone 16": _handheld(393, 852, 3, _IOS),
    "iPhone 16 Pro Max": _handheld(440, 956, 3, _IOS),
    "Pixel 5": _handheld(393, 851, 2.75, _ANDROID),
    "Pixel 7": _handheld(412, 915, 2.625, _ANDROID),
    "Pixel 8": _handheld(412, 915, 2.625, _ANDROID),
    "Galaxy S8": _handheld(360, 740, 3, _ANDROID),
    "Galaxy S24": _handheld(360, 780, 3, _ANDROID),
    "iPad Mini": _handheld(768, 1024, 2, _IPAD),
    "iPad Air": _handheld(820, 1180, 2, _IPAD),
    "iPad Pro 11": _handheld(834, 1194, 2, _IPAD),
}
"""The first three are sizes only (C-VP-02); the others have a touch screen."""

_LANDSCAPE = " landscape"


def device_named(name: str, before: Device) -> Device:
    """Apply the preset of a name to ``before``, keeping its colours, language and location.

    The suffix "landscape" swaps width and height. Raises `InvalidArgument` with the known names.
    """
    asked = " ".join(name.lower().split())
    upright = asked.removesuffix(_LANDSCAPE)
    found = {known.lower(): device for known, device in DEVICES.items()}.get(upright)
    if found is None:
        raise InvalidArgument(
            f"Device {name[:60]!r} not found.",
            f'Pass one of {", ".join(DEVICES)}, with or without "{_LANDSCAPE}", '
            "or width and height.",
        )
    if asked != upright:
        found = attrs.evolve(found, width=found.height, height=found.width)
    return attrs.evolve(
        before,
        width=found.width,
        height=found.height,
        scale=found.scale,
        mobile=found.mobile,
        user_agent=found.user_agent,
    )
