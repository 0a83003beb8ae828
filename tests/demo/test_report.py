"""What the demo prints."""

import io

from charlotte.demo.report import Report, table


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_and_gives_way_to_what_stays() -> None:
    screen = Terminal()
    report = Report(screen, screen)
    report.progress("reading … 3 of 8")
    report.say("done")

    assert "\r\x1b[Kreading … 3 of 8\r\x1b[Kdone\n" == screen.getvalue()


def test_a_file_gets_no_progress() -> None:
    out, screen = io.StringIO(), io.StringIO()
    report = Report(out, screen)
    report.progress("reading … 3 of 8")
    report.tell("read", 1.2345)

    assert "" == screen.getvalue()
    assert ["read", "1,234", "ms"] == out.getvalue().split()


def test_what_all_tabs_complain_about_is_printed_once() -> None:
    out = io.StringIO()
    Report(out, out).complain(["no browser", "no browser", "no luck"])

    assert ["", "This did not hold:", "  no browser", "  no luck"] == out.getvalue().splitlines()


def test_columns_are_as_wide_as_their_widest_cell_and_numbers_end_together() -> None:
    lines = table(
        [("tab-1", "/", "read", "7", "fine"), ("tab-2", "/form.html", "sent", "1,234", "")]
    )

    assert [
        "tab    page        what was done     ms  result",
        "─────  ──────────  ─────────────  ─────  ──────",
        "tab-1  /           read               7  fine",
        "tab-2  /form.html  sent           1,234",
    ] == lines
