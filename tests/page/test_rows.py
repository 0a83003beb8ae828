"""Names and order of the rows around equal results."""

from charlotte.page.find import Row, find_twins, name_rows, rank_row


def test_a_row_is_named_by_what_other_rows_do_not_have() -> None:
    rows = [Row(1, ("1", "Gus", "Lima", "Open")), Row(2, ("2", "Ann", "Lima", "Open"))]

    assert name_rows(rows, "Delete") == ["1 | Gus", "2 | Ann"]


def test_equal_rows_are_named_by_all_of_their_texts() -> None:
    rows = [Row(1, ("Gus", "Delete")), Row(2, ("Gus", "Delete"))]

    assert name_rows(rows, "Delete") == ["Gus", "Gus"]


def test_results_in_one_row_get_no_name() -> None:
    assert name_rows([Row(1, ("Gus",)), Row(1, ("Gus",))], "Delete") == ["", ""]


def test_labels_are_equal_whatever_their_case() -> None:
    assert find_twins(["Delete", "Save", "delete", "", ""]) == [[0, 2]]


def test_a_whole_cell_comes_before_words_and_words_before_parts_of_words() -> None:
    texts = [("1", "Lost dog 41"), ("2", "The lost dog 4 of Ann"), ("3", "Lost dog 4")]
    ranks = [rank_row(Row(index, each), "lost dog 4") for index, each in enumerate(texts)]

    assert ranks == [2, 1, 0]
    assert rank_row(Row(1, ("3", "Lost dog 4")), " Lost  dog 4 ") == 0
    assert rank_row(Row(1, ("3", "Lost dog 4")), "3 | Lost dog 4") == 1
