"""Changes of random pages that imitate Charlotte."""

from hypothesis import given

from charlotte.answers.text.changes import compare
from charlotte.answers.text.outline import build_outline
from charlotte.page.identity.id_book import IdBook
from tests.answers.text.hostile import page_pairs
from tests.answers.text.parser import parse_answer
from tests.answers.text.test_imitation import squash, written
from tests.page.pages import Page, view_of


@given(page_pairs())
def test_changes_are_signed_lines_and_heads_of_tables(pair: tuple[Page, Page]) -> None:
    book = IdBook()
    old, new = (view_of(page.capture(), book) for page in pair)
    lines = compare(build_outline(old), build_outline(new)).lines
    answer = parse_answer("\n".join(["tab-1", *lines]))
    for line in answer.lines:
        assert line.mark or line.kind in {"remark", "structure"}
    before, after = ({element.id: element for element in view.interactive} for view in (old, new))
    for line in answer.lines:
        ids = {control.id for control in line.controls}
        match line.mark:
            case "+" | "":
                assert ids <= after.keys()
            case "-":
                assert ids <= before.keys()
            case "~":
                assert ids <= before.keys() | after.keys()
    shown = {control.id for line in answer.lines for control in line.controls}
    written_after = {control.id for control in parse_answer(written(new)).controls}
    rest = written_after - before.keys() - shown
    assert not rest or any(line.kind == "cut" for line in answer.lines)
    present = [line for line in answer.lines if line.mark != "-"]
    for control in (control for line in present for control in line.controls):
        element = after.get(control.id)
        if element and "value" in control.states:
            assert squash(control.states["value"])[:100] == squash(element.value or "")[:100]
