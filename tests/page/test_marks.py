"""Placement of the labels that show ids on an image."""

from hypothesis import given
from hypothesis import strategies as st

from charlotte.page.marks import HEIGHT, ROWS, place_labels
from charlotte.page.model import Bounds

SIZE = 320, 200

boxes = st.builds(
    Bounds, st.integers(-50, 350), st.integers(-50, 250), st.integers(0, 120), st.integers(0, 60)
)
ids = st.sampled_from(["btn-86b8", "lnk-27d4-10", "e5", "inp-54b5-2"])
pages = st.lists(st.tuples(ids, boxes), max_size=40)


@given(pages)
def test_labels_never_overlap(page: list[tuple[str, Bounds]]) -> None:
    labels = [mark.label for mark in place_labels(page, SIZE)]

    for number, label in enumerate(labels):
        assert not any(label.overlap(other) for other in labels[number + 1 :])


@given(pages)
def test_labels_and_boxes_lie_inside_the_image(page: list[tuple[str, Bounds]]) -> None:
    image = Bounds(0, 0, *SIZE)

    for mark in place_labels(page, SIZE):
        assert image.contains(mark.label)
        assert image.contains(mark.box)
        assert mark.box.w > 0
        assert mark.box.h > 0


@given(pages)
def test_a_label_is_at_most_some_rows_away_from_its_box(page: list[tuple[str, Bounds]]) -> None:
    for mark in place_labels(page, SIZE):
        x, y, w, h = mark.box.x, mark.box.y, mark.box.w, mark.box.h
        rows = ROWS * HEIGHT
        assert Bounds(x - mark.label.w, y - rows, w + 2 * mark.label.w, h + 2 * rows).contains(
            mark.label
        )


@given(pages)
def test_marks_are_the_same_every_time_and_in_the_order_of_the_elements(
    page: list[tuple[str, Bounds]],
) -> None:
    marks = place_labels(page, SIZE)

    assert marks == place_labels(page, SIZE)
    rest = iter(page)
    assert all(
        any((mark.id, mark.box) == (one, box.cut_to(SIZE)) for one, box in rest) for mark in marks
    )


def test_a_label_covers_no_other_element_if_there_is_another_place() -> None:
    above, below = Bounds(100, 76, 80, 20), Bounds(100, 96, 80, 20)

    marks = place_labels([("btn-0001", above), ("btn-0002", below)], SIZE)

    assert [mark.label for mark in marks] == [Bounds(100, 62, 60, 14), Bounds(100, 116, 60, 14)]


def test_an_element_without_room_for_its_label_is_left_out() -> None:
    box = Bounds(0, 0, 60, 20)

    assert len(place_labels([("btn-0001", box), ("btn-0002", box)], (70, 20))) == 1
