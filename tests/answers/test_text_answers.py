"""Text of a page cannot start a new line or contain terminal commands."""

from charlotte.tools.observe import CONTROLS


def test_control_characters_except_line_feeds_and_tabs_are_replaced() -> None:
    every = "".join(map(chr, range(0x2100)))
    shown = every.translate(CONTROLS)

    assert len(shown) == len(every)
    assert shown.splitlines(keepends=True)[1:] == shown.split("\n")[1:]
    assert [c for c in shown if ord(c) < 32] == ["\t", "\n"]
