"""Devices by name: sizes in CSS px, and for phones and tablets that are named what they are."""

from collections.abc import Mapping

import attrs

from charlotte.browser.desired import Device
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
    "iPhone 15": _handheld(393, 852, 3, _IOS),
    "Pixel 8": _handheld(412, 915, 2.625, _ANDROID),
    "Galaxy S24": _handheld(360, 780, 3, _ANDROID),
    "iPad Mini": _handheld(768, 1024, 2, _IPAD),
    "iPad Pro 11": _handheld(834, 1194, 2, _IPAD),
}
"""The first three are only sizes (C-VP-02); the others have a touch screen, too."""


def device_named(name: str, before: Device) -> Device:
    """That device where ``before`` was: in its colours, its language, its place.

    Raises `InvalidArgument` with the names there are.
    """
    found = {known.lower(): device for known, device in DEVICES.items()}.get(name.strip().lower())
    if found is None:
        raise InvalidArgument(
            f"There is no device {name[:60]!r}.",
            f"Take one of {', '.join(DEVICES)}, or width and height.",
        )
    return attrs.evolve(
        before,
        width=found.width,
        height=found.height,
        scale=found.scale,
        mobile=found.mobile,
        user_agent=found.user_agent,
    )
