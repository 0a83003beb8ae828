"""Dates and times in ISO form: the parts of a field, its format, and what it shows."""

import pytest

from charlotte.actors.tab.verbs.dates import fit_format, name_parts, parse_moment, shows_moment
from charlotte.actors.tab.verbs.values import is_same_text


@pytest.mark.parametrize("text", ["", "7", "1 May", "2026-5-1", "2026", "14.30", "2026-05-01x"])
def test_other_texts_are_no_moment(text: str) -> None:
    assert parse_moment(text) is None


@pytest.mark.parametrize(
    ("text", "hint", "written"),
    [
        ("2026-05-01", "MM/DD/YYYY", "05/01/2026"),
        ("2026-05-01", "dd.mm.yyyy", "01.05.2026"),
        ("2026-05-01", "TT.MM.JJJJ", "01.05.2026"),
        ("2026-05-01", "Born on (D/M/YY)", "1/5/26"),
        ("2026-05-01", "YYYY-MM-DD", "2026-05-01"),
    ],
)
def test_a_moment_is_written_in_the_format_of_the_field(text: str, hint: str, written: str) -> None:
    moment = parse_moment(text)

    assert moment is not None
    assert fit_format(moment, ["Date", hint]) == written


@pytest.mark.parametrize("hint", ["Select date", "and/or", "a-b-c", "MM/YYYY"])
def test_other_hints_have_no_format(hint: str) -> None:
    moment = parse_moment("2026-05-01")

    assert moment is not None
    assert fit_format(moment, [hint]) is None


@pytest.mark.parametrize(
    ("limits", "parts"),
    [
        ([(1, 12), (1, 31), (1, 9999)], ["month", "day", "year"]),
        ([(1, 31), (1, 12), (0, 99), (0, 23), (0, 59)], ["day", "month", "year", "hour", "minute"]),
        ([(1, 12), (0, 59), (0, 59), (0, 1)], ["hour", "minute", "second", "half"]),
        ([(1, 12), (1, 28), (1, 9999), (1, 12)], ["month", "day", "year", "hour"]),
        ([(0, 10), (0, 5)], None),
        ([(1, 12), (1, 31), (1, 12), (1, 31)], None),
    ],
)
def test_the_parts_of_a_field_are_known_by_their_limits(
    limits: list[tuple[float, float]], parts: list[str] | None
) -> None:
    assert name_parts(limits) == parts


@pytest.mark.parametrize("shown", ["05/01/2026", "1.5.26", "May 1, 2026", "2026-05-01"])
def test_a_page_may_show_a_date_in_its_own_format(shown: str) -> None:
    moment = parse_moment("2026-05-01")

    assert moment is not None
    assert shows_moment(shown, moment)
    assert not shows_moment("05/02/2026", moment)


@pytest.mark.parametrize(
    ("shown", "same", "other"),
    [
        ("03/10/2026", "2026-03-10", "2026-03-03"),
        ("10.3.26", "2026-03-10", "2026-10-10"),
        ("26.3.2026", "2026-03-26", "2026-03-20"),
        ("26/03/26", "2026-03-26", "2026-03-03"),
        ("2026年3月17日", "2026-03-17", "2026-03-03"),
        ("Week 12, 17 March 2026", "2026-03-17", "2026-03-20"),
        ("03/17/2026 12:00 AM", "2026-03-17", "2026-03-12"),
        ("03/10/2026 10:10", "2026-03-10T10:10", "2026-03-03T10:10"),
        ("3/10/2026, 2:30 PM", "2026-03-10T14:30", "2026-03-30T14:30"),
        ("2:30 PM", "14:30", "14:14"),
    ],
)
def test_each_number_of_a_shown_date_stands_for_one_part(shown: str, same: str, other: str) -> None:
    assert is_same_text(shown, same)
    assert not is_same_text(shown, other)


@pytest.mark.parametrize(
    ("shown", "wanted"),
    [("(555) 123-4567", "5551234567"), ("1,234.50", "1234.5"), ("$ 12.50", "12.5"), ("ABC", "abc")],
)
def test_separators_of_a_mask_are_no_difference(shown: str, wanted: str) -> None:
    assert is_same_text(shown, wanted)


@pytest.mark.parametrize(
    ("shown", "wanted"), [("100", "250"), ("125", "12.5"), ("5", "-5"), ("55512", "5551234567")]
)
def test_another_value_is_a_difference(shown: str, wanted: str) -> None:
    assert not is_same_text(shown, wanted)
