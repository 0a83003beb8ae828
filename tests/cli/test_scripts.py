"""The language of scripts, and their check before a run."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from charlotte.cli.scripts.checking import Check
from charlotte.cli.scripts.descriptions import Described, Description
from charlotte.cli.scripts.language import (
    Call,
    ExpectElement,
    ExpectText,
    ExpectValue,
    Loop,
    Parallel,
    Read,
    Statement,
    parse,
)
from charlotte.cli.scripts.words import Problem, Scope, quote, read_words
from charlotte.tools.schema.tool import Toolbox
from charlotte.tools.toolkit import CATALOG

SCOPE: Scope = {"name": "Ada", "row": {"mail": "ada@example.org", "full name": "Ada L"}}


def texts(line: str) -> list[str]:
    return [word.text(SCOPE) for word in read_words(line)]


def statement(line: str) -> Statement:
    [found], problems = parse(line)
    assert not problems
    return found


def described(line: str) -> Description:
    found = statement(line)
    assert isinstance(found, Call)
    [argument] = found.arguments
    assert isinstance(argument, Described)
    return argument.description


def problems(text: str, files: Mapping[str, str] | None = None, **scope: str) -> list[str]:
    """Return the problems of a script as ``LINE: reason``."""

    def open_file(path: str) -> Path:
        return Path((files or {})[path])

    statements, found = parse(text)
    check = Check(Toolbox(CATALOG, profile="full", naming="bare"), open_file)
    check.run(statements, dict(scope))
    both = sorted([*found, *check.problems], key=lambda problem: problem.number)
    return [f"{problem.number}: {problem.reason}" for problem in both]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("type a 'b c' \"d e\"", ["type", "a", "b c", "d e"]),
        ('x="$name"', ["x=Ada"]),
        ("$name ${name} $row.mail $name.txt", ["Ada", "Ada", "ada@example.org", "Ada.txt"]),
        ('"${row.full name}" $$5 $5', ["Ada L", "$5", "$5"]),
        (r'"a \"b\" \\ \$name\n"', ['a "b" \\ $name\n']),
        (r"'$name \n'", [r"$name \n"]),
        ('""', [""]),
    ],
)
def test_words_have_quotes_and_variables(line: str, expected: list[str]) -> None:
    assert texts(line) == expected


@pytest.mark.parametrize("text", ["", "a b", 'a "b" \\ $name', "line\nline\ttab", "'", "ü€"])
def test_a_quoted_text_is_read_as_it_was(text: str) -> None:
    assert texts(quote(text)) == [text]


def test_elements_are_described_by_role_name_and_context() -> None:
    assert described('click button "Save"').write({}) == 'button "Save"'
    row = described('click link "Edit" in row "Order 7" in dialog "Orders"')
    assert row.row is not None
    assert row.row.text({}) == "Order 7"
    assert row.inside is not None
    assert row.inside.kind == "dialog"
    assert described('click button "Add" in "Book 3"').write({}) == 'button "Add" in "Book 3"'
    assert described('click button "Add" near "Book 3" #2').number == 2


def test_a_described_element_can_have_a_value_and_a_parameter() -> None:
    call = statement('fill_form textbox "A"="$name" textbox "B" in "x" = 2 checkbox "C" #2=true')
    assert isinstance(call, Call)
    values = [
        one.value.text(SCOPE) for one in call.arguments if isinstance(one, Described) and one.value
    ]
    assert values == ["Ada", "2", "true"]
    named = statement('wait_for element_id=button "Save" state=enabled')
    assert isinstance(named, Call)
    assert isinstance(named.arguments[0], Described)
    assert named.arguments[0].prefix == "element_id="


def test_lines_have_kinds() -> None:
    read = statement(r"price = text of row 'Total' matching '(\d+)'")
    assert isinstance(read, Read)
    assert (read.name, read.kind) == ("price", "text")
    gone = statement('expect no button "Save" within 3 s')
    assert isinstance(gone, ExpectElement)
    assert (gone.is_absent, gone.wait) == (True, 3.0)
    for wrong in ("within inf s", "within 301", "within -1 s"):
        assert "within takes 0 to 300 seconds" in parse(f"expect text x {wrong}")[1][0].reason
    valued = statement('expect textbox "Name" = "$name"')
    assert isinstance(valued, ExpectElement)
    assert valued.value is not None
    assert isinstance(statement('expect url "/done"'), ExpectText)
    assert isinstance(statement("expect $name contains A"), ExpectValue)


def test_blocks_are_nested() -> None:
    [loop, parallel], found = parse(
        "for row in a.csv\n  tab\n    back\n  end\nend\nparallel\n  tab\n    back\n  end\nend"
    )
    assert not found
    assert isinstance(loop, Loop)
    assert isinstance(parallel, Parallel)
    assert [len(each.body) for each in (loop, parallel)] == [1, 1]


def test_all_problems_are_found_before_the_first_command(tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    people.write_text("name,mail\nAda,ada@example.org\n")
    script = """navigat https://shop.test
click "Log in
for row in people.csv
  print $row.email
  type textbox "Name" $UNKNOWN
end
click link "A" frobnicate
expect nothing
parallel
  click button "x"
end
x = text of
scroll sideways
tab
click buton "Log in"
"""
    found = problems(script, {"people.csv": str(people)})
    assert [int(each.partition(":")[0]) for each in found] == [
        1,
        2,
        4,
        5,
        7,
        8,
        10,
        12,
        13,
        14,
        15,
    ]
    assert "did you mean navigate?" in found[0]
    assert "the row has name, mail" in found[2]
    assert "$UNKNOWN is not defined" in found[3]
    assert "tab has no end" in found[9]


def test_a_right_script_has_no_problems(tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    people.write_text("name,full name\nAda,Ada L\n")
    script = """# comment
navigate https://shop.test/$name
for row in people.csv
  type textbox "Name" "${row.full name}" press_enter=true
  select combobox "Country" "=Norway"
  last = $row.name
end
first = tab
second = tab_open https://shop.test
tab_switch $first
scroll down $last
print "$last" done
parallel for row in people.csv
  navigate $row.name
end
"""
    assert problems(script, {"people.csv": str(people)}, name="ada") == []


@pytest.mark.parametrize("line", ['click "a', "click 'a", 'type textbox "A"b c'])
def test_wrong_quotes_are_problems(line: str) -> None:
    assert len(parse(line)[1]) == 1


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("tab\nend", ["1: the block is empty"]),
        ("tab\nprint\nend", ["2: A text is missing"]),
        ("url = url\ntab", ["2: tab has no end"]),
    ],
)
def test_a_block_with_a_wrong_line_is_not_called_empty(script: str, expected: list[str]) -> None:
    assert problems(script) == expected


def test_variables_of_parallel_blocks_end_with_them(tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    people.write_text("name\nAda\n")
    script = "parallel for row in p.csv\n  a = url\nend\nprint $a"
    assert problems(script, {"p.csv": str(people)}) == [
        "4: $a is not defined: set it in the environment, or pass a=VALUE"
    ]


def test_an_undefined_variable_is_no_empty_text() -> None:
    [word] = read_words("$nothing")
    with pytest.raises(Problem, match=r"\$nothing is not defined"):
        word.text({})
