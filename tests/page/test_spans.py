"""Parts of a text, found by their content."""

import pytest

from charlotte.base.errors import InvalidArgument
from charlotte.page.spans import TextPart

TEXT = "She was brave.\nShe  was\nBrave again."


@pytest.mark.parametrize(("part", "wanted"), [
    (TextPart(), TEXT),
    (TextPart("brave"), "brave"),
    (TextPart("BRAVE"), "brave"),
    (TextPart("She was", occurrence=2), None),
    (TextPart("she was", occurrence=2), "She  was"),
    (TextPart("was brave again"), "was\nBrave again"),
])  # fmt: skip
def test_a_part_is_found(part: TextPart, wanted: str | None) -> None:
    if wanted is None:
        with pytest.raises(InvalidArgument, match="occurs once, not 2 times"):
            part.find(TEXT)
        return
    start, end = part.find(TEXT)
    assert TEXT[start:end] == wanted


@pytest.mark.parametrize(("part", "message"), [
    (TextPart("brove"), '"brove" not found. The nearest text is "brave.".'),
    (TextPart("quiet day"), '"quiet day" not found.'),
])  # fmt: skip
def test_a_missing_part_is_an_error(part: TextPart, message: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        part.find(TEXT)

    assert str(caught.value).startswith(message)


def test_occurrences_are_counted_in_the_form_that_occurs() -> None:
    assert TextPart("was").count(TEXT) == 2
    assert TextPart("brave").count(TEXT) == 1
    assert TextPart("gone").count(TEXT) == 0
    assert TextPart().count(TEXT) == 1
