"""Placement of the labels that show the ids of elements on an image, without overlaps."""

from collections.abc import Iterator, Sequence

import attrs

from charlotte.page.model import Bounds

HEIGHT = 14
ROWS = 3
"""Rows of labels above and below a box."""

WIDE = 3
"""Widths of its label that a box has at least if the label is inside."""

_CHARACTER = 7
_PADDING = 4


@attrs.frozen
class ImageMark:
    """The id of an element, its box and the box of its label, in pixels of the image."""

    id: str
    box: Bounds
    label: Bounds


def place_labels(boxes: Sequence[tuple[str, Bounds]], size: tuple[int, int]) -> list[ImageMark]:
    """Return the boxes, cut to an image of that size, each with a label.

    No label overlaps another or exceeds the image. Among the free places at its box, a label gets
    the one that covers the smallest part of all boxes. A wide box has room for its own label: above
    it may be the name of a field. Boxes without a free place are left out.
    """
    cut = [(each_id, box) for each_id, one in boxes if (box := one.cut_to(size))]
    marks: list[ImageMark] = []
    for each_id, box in cut:
        width = len(each_id) * _CHARACTER + _PADDING
        height = ROWS * HEIGHT  # of all places above the box, and of those below it
        around = Bounds(box.x - width, box.y - height, box.w + 2 * width, box.h + 2 * height)
        labels = [mark.label for mark in marks if around.overlap(mark.label)]
        has_room = _has_room(box, width)
        nearby = [
            other for _, other in cut if around.overlap(other) and not (has_room and other is box)
        ]
        best, covered = None, 0
        for place in _places(box, width, size):
            if any(place.overlap(label) for label in labels):
                continue
            area = sum(place.overlap(other) for other in nearby)
            if best is None or area < covered:
                best, covered = place, area
            if not covered:
                break
        if best is not None:
            marks.append(ImageMark(each_id, box, best))
    return marks


def _has_room(box: Bounds, width: int) -> bool:
    return box.w >= WIDE * width and box.h >= HEIGHT


def _places(box: Bounds, width: int, size: tuple[int, int]) -> Iterator[Bounds]:
    """Yield the places for a label in the image: above and below, beside, inside its box."""
    right, bottom = box.x + box.w, box.y + box.h
    lefts = (box.x, right - width)
    corners = [(right - width, box.y)] if _has_room(box, width) else []
    corners += [
        *((x, y) for y in (box.y - HEIGHT, bottom) for x in lefts),
        *((x, y) for y in (box.y, bottom - HEIGHT) for x in (box.x - width, right)),
        *(
            (x, y)
            for row in range(1, ROWS)
            for y in (box.y - HEIGHT - row * HEIGHT, bottom + row * HEIGHT)
            for x in lefts
        ),
        *((x, y) for y in (box.y, bottom - HEIGHT) for x in lefts),
    ]
    for x, y in corners:
        if x >= 0 and y >= 0 and x + width <= size[0] and y + HEIGHT <= size[1]:
            yield Bounds(x, y, width, HEIGHT)
