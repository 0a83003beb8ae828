"""Text of a page can neither begin a line for any reader nor command a terminal."""

from charlotte.tools.text_answers import CONTROLS


def test_only_line_feeds_and_tabs_are_left_of_the_control_characters() -> None:
    every = "".join(map(chr, range(0x2100)))
    shown = every.translate(CONTROLS)

    assert len(shown) == len(every)
    assert shown.splitlines(keepends=True)[1:] == shown.split("\n")[1:]
    assert [c for c in shown if ord(c) < 32] == ["\t", "\n"]
