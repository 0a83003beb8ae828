"""Causes of slow loading and of movement during loading."""

from collections.abc import Iterator, Sequence

from charlotte.dev.audits.facts import Frame, Picture, Sheet, Shift, Timings
from charlotte.dev.audits.findings import Finding, Severity, about

_UNUSED_BYTES = 2_000
_UNUSED_SHARE = 0.5
_TOO_LARGE = 2.0
_SMALL_IMAGE = 100 * 100
_HEAVY_IMAGE = 500_000
_FORCED_MS = 30
_SHIFT, _BAD_SHIFT = 0.1, 0.25
_MANY_NODES, _TOO_MANY_NODES = 1_500, 3_000
_RASTER_LEFT_OUT = (".svg", "data:image/svg")


def performance(timings: Timings, sheets: Sequence[Sheet], nodes: int) -> Iterator[Finding]:
    """Yield faults in the performance entries of a page."""
    yield from _unused(sheets)
    weights = {one.url: one.bytes for one in timings.resources}
    for image in timings.images:
        yield from _image(image, weights.get(image.url, 0), timings.ratio)
    yield from _thrashing(timings.frames)
    yield from _shifts(timings.shifts)
    yield from _blocking(timings)
    yield from _size(nodes)


def _unused(sheets: Sequence[Sheet]) -> Iterator[Finding]:
    for sheet in sheets:
        share = sheet.unused / max(sheet.length, 1)
        if sheet.unused >= _UNUSED_BYTES and share >= _UNUSED_SHARE:
            yield about("performance", "unused-css", "warning")(
                f"{share:.0%} of {sheet.url or 'a style element'} is not used here: "
                f"{sheet.unused:,} of {sheet.length:,} characters.",
                None,
            )


def _image(image: Picture, size: float, ratio: float) -> Iterator[Finding]:
    finding = about("performance", "large-image", "warning")
    width, height = image.natural
    shown = image.shown[0] * ratio, image.shown[1] * ratio
    if image.url.startswith(_RASTER_LEFT_OUT) or image.url.split("?")[0].endswith(_RASTER_LEFT_OUT):
        return
    is_too_large = width > shown[0] * _TOO_LARGE and height > shown[1] * _TOO_LARGE
    if is_too_large and width * height > _SMALL_IMAGE and all(shown):
        yield finding(
            f"{image.url[:200]} has {width:g}x{height:g} px, but is shown at "
            f"{image.shown[0]:g}x{image.shown[1]:g}.",
            image.nid,
        )
    elif size > _HEAVY_IMAGE:
        yield finding(f"{image.url[:200]} has {size / 1000:,.0f} kB.", image.nid)


def _thrashing(frames: Sequence[Frame]) -> Iterator[Finding]:
    for frame in frames:
        for script in frame.forced:
            if script.ms >= _FORCED_MS:
                where = f"{script.name or 'A script'} of {script.url or 'the page'}"
                yield about("performance", "layout-thrashing", "warning")(
                    f"{where} forced layout again and again: "
                    f"{script.ms:.0f} of {frame.duration:.0f} ms.",
                    None,
                )


def _shifts(shifts: Sequence[Shift]) -> Iterator[Finding]:
    total = sum(shift.value for shift in shifts)
    if total < _SHIFT:
        return
    worst = max(shifts, key=lambda shift: shift.value)
    severity: Severity = "error" if total >= _BAD_SHIFT else "warning"
    yield about("performance", "layout-shift", severity)(
        f"Content moved by itself: layout shifts of {total:.2f} in total.",
        worst.nids[0] if worst.nids else None,
    )


def _blocking(timings: Timings) -> Iterator[Finding]:
    for one in timings.resources:
        if one.blocking:
            is_script = one.type == "script"
            advice = (
                "defer or async lets the page show first" if is_script else "it delays the page"
            )
            yield about("performance", "render-blocking", "warning" if is_script else "info")(
                f"{one.url[:200]} is loaded before anything is shown ({one.ms:.0f} ms): {advice}.",
                None,
            )


def _size(nodes: int) -> Iterator[Finding]:
    if nodes > _MANY_NODES:
        severity: Severity = "error" if nodes > _TOO_MANY_NODES else "warning"
        yield about("performance", "dom-size", severity)(f"The page has {nodes:,} elements.", None)
