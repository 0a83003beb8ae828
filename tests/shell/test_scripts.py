"""``charlotte script`` against a background server with a real browser."""

import json
import re
from collections.abc import Generator
from pathlib import Path
from urllib.parse import quote

import pytest

from charlotte.cli.replies import ELEMENT, NAVIGATION
from charlotte.shell.client import FAILED, MISUSED
from tests.docs.pages import ROOT
from tests.shell.running import Background, Ran, open_background

pytestmark = pytest.mark.chromium

SHOP = """<title>Shop</title><h1>Shop</h1>
<form><label>Name <input id=n></label> <label>Mail <input id=m type=email></label>
<label>Password <input id=p type=password></label> <label><input type=checkbox> Agree</label>
<label>Size <select><option>small<option>large</select></label>
<button>Join</button></form>
<ul aria-label=Members></ul>
<table><tr><td>Order 1<td>10 EUR<td><button type=button>Remove</button>
<tr><td>Order 2<td>12 EUR<td><button type=button>Remove</button></table>
<nav aria-label=Main><a href="#main">Home</a></nav><p><a href="#foot">Home</a></p>
<script>
const of = id => document.getElementById(id).value;
document.querySelector("form").onsubmit = event => {
  event.preventDefault();
  setTimeout(() => {
    const item = document.createElement("li");
    const agreed = document.querySelector("[type=checkbox]").checked;
    const size = document.querySelector("select").value;
    item.textContent = [of("n"), of("m"), of("p").length, agreed, size].join(" ");
    document.querySelector("ul").append(item);
  }, 200);
};
for (const button of document.querySelectorAll("table button"))
  button.onclick = () => button.closest("tr").remove();
</script>"""
PAGE = "data:text/html," + quote(SHOP)


@pytest.fixture(scope="module")
def background() -> Generator[Background]:
    with open_background(PW="sesame", PASSWORD="sesame") as opened:  # noqa: S106
        yield opened


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text("name,mail\nAda,ada@x.test\nBob B.,bob@x.test\n")
    return tmp_path


def run(background: Background, place: Path, text: str, *words: str) -> Ran:
    (place / "script.txt").write_text(text.replace("PAGE", PAGE))
    return background.run("script", *words, "script.txt", cwd=place)


JOIN = """navigate PAGE
# each member
for row in people.csv
  fill_form textbox "Name"="$row.name" textbox "Mail"="$row.mail" checkbox "Agree"=true
  type textbox "Password" "$PW"
  select combobox "Size" "large"
  click button "Join"
  expect text "$row.name $row.mail 6 true large"
end
click button "Remove" in row "Order 1"
expect no button "Remove" near "Order 1"
price = text of row "Order 2" matching '(\\d+) EUR'
expect $price = 12
expect button "Remove" enabled
expect checkbox "Agree" checked
expect textbox "Name" = "Bob B."
expect title Shop
count = evaluate "document.querySelectorAll('li').length"
print "$count members," $price
"""


@pytest.mark.smoke
def test_a_script_works_with_described_elements_rows_and_variables(
    background: Background, place: Path
) -> None:
    ran = run(background, place, JOIN, "-s", "join")
    assert (ran.code, ran.err) == (0, "")
    assert re.fullmatch(r"2 members, 12\ndone: \d+ lines ran in \d+\.\d s\n", ran.out)


def test_the_example_of_the_guide_runs(background: Background, place: Path) -> None:
    guide = (ROOT / "docs/guides/scripts.md").read_text()
    example = guide.split("```\n")[1]
    form = "data:text/html," + quote((ROOT / "tests/site/pages/form.html").read_text())
    (place / "join.txt").write_text(example.replace("http://127.0.0.1:8000/form.html", form))
    words = ("script", "-s", "club", "join.txt", "WHO=Ada", "PASSWORD=long enough")
    ran = background.run(*words, cwd=place)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Ada gets 2 books\ndone: 8 lines ran in ")


def test_a_script_from_stdin_gets_variables_and_answers_a_program(
    background: Background, place: Path
) -> None:
    script = f"navigate {PAGE}\nplace = url\nexpect $place contains $word\nprint $word\n"
    words = ("--json", "-s", "stdin", "-", "word=Shop")
    ran = background.run("script", *words, stdin=script, cwd=place)
    result = json.loads(ran.out)
    assert (ran.code, result["ok"], result["lines"], result["printed"]) == (0, True, 4, ["Shop"])
    assert result["variables"] == {"place": PAGE}


def test_blocks_run_at_the_same_time_in_tabs_of_their_own(
    background: Background, place: Path
) -> None:
    text = """navigate PAGE
parallel
  tab
    navigate PAGE
    click button "Remove" in "Order 2"
    expect no text "Order 2"
    here = tab
    print "first $here"
  end
  tab
    navigate "data:text/html,<title>Other</title><p>Other"
    expect title "Other"
  end
end
parallel for row in people.csv
  navigate "data:text/html,<title>$row.name</title>"
  expect title $row.name
  print $row.name
end
expect text "Order 2"
"""
    ran = run(background, place, text, "-s", "tabs")
    assert (ran.code, ran.err) == (0, "")
    assert {"Ada", "Bob B."} <= {*ran.out.splitlines()}
    assert len(background.out("-s", "tabs", "tabs").splitlines()) == 1


FAILURES = [
    ('click button "Delete"', ELEMENT, 'No button "Delete" on the page.'),
    ('click textbox "m"', ELEMENT, "2 elements match textbox \"m\": #1 'Name'"),
    ("navigate http://nowhere.invalid/", NAVIGATION, "error NAVIGATION_FAILED"),
    ('expect text "Paid" within 0.5 s', FAILED, "'Paid' is not on the page after 0.5 s"),
    ('expect button "Join" disabled within 0.5 s', FAILED, "is not disabled after 0.5 s"),
    ("expect $PW = x", FAILED, "expected = 'x'"),
    ("x = text matching '(gone)'", FAILED, "matches '(gone)'"),
]
MORE_FAILURES = [
    ('click button "Remove"', ELEMENT, '2 elements match button "Remove": #1 in \'Order 1'),
    ('click button "Remove" #3', ELEMENT, "there are 2"),
    ('expect no text "Order 1" within 0.5 s', FAILED, "'Order 1' is still on the page"),
    ('expect no button "Join" enabled within 0.5 s', FAILED, "is still on the page"),
    ('expect no button "Remove" #2 within 0.5 s', FAILED, "is still on the page"),
    ('expect textbox "Name" = Ada within 0.5 s', FAILED, "has the value ''"),
    ("expect title Basket within 0.5 s", FAILED, "The title 'Shop' does not contain 'Basket'"),
]


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [*FAILURES, *(pytest.param(*each, marks=pytest.mark.extended) for each in MORE_FAILURES)],
)
def test_a_script_stops_at_the_first_failure_with_line_and_page(
    background: Background, place: Path, line: str, code: int, message: str
) -> None:
    ran = run(background, place, f"navigate PAGE\nprint before\n{line}\nprint after", "-s", "stop")
    assert (ran.code, ran.out) == (code, "before\n")
    first, error, *rest = ran.err.splitlines()
    assert first == f"script.txt:3: {line}"
    assert message in error
    page = next(each for each in rest if each.startswith("page "))
    assert page.startswith("page tab-")
    if code != NAVIGATION:
        assert page.endswith(' "Shop"')
        assert "  # Shop" in rest


def test_a_failure_in_a_loop_has_the_row(background: Background, place: Path) -> None:
    loop = "for row in people.csv\n  tab\n    expect $row.name = Ada\n  end\nend"
    ran = run(background, place, loop, "-s", "rows")
    assert (ran.code, ran.err.splitlines()[0]) == (
        FAILED,
        "script.txt:3: expect $row.name = Ada (row 2)",
    )
    parallel = run(background, place, f"parallel {loop}", "--json", "-s", "rows")
    assert json.loads(parallel.out)["rows"] == [2]


def test_a_failure_in_parallel_ends_the_other_blocks(background: Background, place: Path) -> None:
    text = """navigate PAGE
parallel
  tab
    wait_for text=never timeout=60000
  end
  tab
    navigate PAGE
    expect text "Paid" within 0.1 s
  end
end"""
    ran = run(background, place, text, "--json", "-s", "ends")
    result = json.loads(ran.out)
    assert (ran.code, result["line"]) == (FAILED, 8)
    assert result["error"]["code"] == "EXPECTATION_NOT_MET"
    assert result["page"]["title"] == "Shop"
    assert len(background.out("-s", "ends", "tabs").splitlines()) == 1


def test_a_wrong_script_runs_no_command(background: Background, place: Path) -> None:
    ran = run(background, place, "tab_open PAGE\nclik button 'Join'\nprint $no\n", "-s", "wrong")
    assert (ran.code, ran.out) == (MISUSED, "")
    assert ran.err.splitlines() == [
        "script.txt:2: Unknown tool: clik; did you mean click or click_at?",
        "script.txt:3: $no is not defined: set it in the environment, or pass no=VALUE",
        "Nothing was run.",
    ]
    assert background.out("-s", "wrong", "tabs") == "no tabs\n"
    missing = background.run("script", "missing.txt", cwd=place)
    assert (missing.code, "missing.txt not found" in missing.err) == (MISUSED, True)


def content(background: Background, session: str) -> str:
    """Return the text of the page, without what only the state of fields adds."""
    return background.out("-s", session, "observe", "content")


def test_the_journal_of_a_session_replays_to_the_same_state(
    background: Background, place: Path
) -> None:
    first = background.out("-s", "rec", "navigate", PAGE)
    ids = {name: known for known, name in re.findall(r'(\w{3}-[\w-]+) "([^"]+)"', first)}
    buttons = re.findall(r'(btn-[\w-]+) "Remove"', first)
    links = re.findall(r'(lnk-[\w-]+) "Home"', first)
    mail, agree = f"{ids['Mail']}=ada@x.test", f"{ids['Agree']}=true"
    background.out("-s", "rec", "fill_form", f"{ids['Name']}=Ada $1", mail, agree)
    background.out("-s", "rec", "type", ids["Password"], "sesame")
    background.out("-s", "rec", "select", ids["Size"], "large")
    background.out("-s", "rec", "click", ids["Join"])
    background.out("-s", "rec", "wait_for", "text=6 true large")
    background.out("-s", "rec", "click", buttons[1])
    background.out("-s", "rec", "click", links[0])
    background.do("-s", "rec", "click", "btn-0000")
    journal = background.run("script", "--journal", "-s", "rec").out
    assert "sesame" not in journal
    lines = journal.splitlines()
    assert "# Set in the environment: PASSWORD" in lines
    assert 'type textbox "Password" "${PASSWORD}"' in lines
    assert 'click button "Remove" near "Order 2"' in lines
    assert 'click link "Home" in navigation "Main"' in lines
    assert "btn-" not in journal
    (place / "journal.txt").write_text(journal)
    ran = background.run("script", "-s", "replay", "journal.txt", cwd=place)
    assert (ran.code, ran.err) == (0, "")
    assert content(background, "replay") == content(background, "rec")
    assert "Ada $1 ada@x.test 6 true large" in content(background, "replay")


def test_the_journal_names_the_tabs_of_a_session(background: Background, place: Path) -> None:
    home = background.out("-s", "two", "navigate", PAGE).split()[0]
    other = background.out("-s", "two", "tab_open", f"{PAGE}#2").split()[0]
    button = re.findall(r'(btn-[\w-]+) "Remove"', background.out("-s", "two", "observe"))[0]
    background.out("-s", "two", "click", button)
    background.out("-s", "two", "tab_switch", home)
    background.out("-s", "two", "--tab", other, "key", "Tab")
    journal = background.run("script", "--journal", "-s", "two").out.splitlines()[1:]
    assert journal == [
        f'navigate "{PAGE}"',
        "tab_1 = tab",
        f'tab_2 = tab_open "{PAGE}#2"',
        'click button "Remove" near "Order 1"',
        "tab_switch $tab_1",
        'key "Tab" tab_id=$tab_2',
    ]
    (place / "journal.txt").write_text("\n".join(journal))
    assert background.run("script", "-s", "again", "journal.txt", cwd=place).code == 0
    assert "Order 1" in background.out("-s", "again", "observe")


def test_a_described_element_is_in_the_tab_that_the_line_names(
    background: Background, place: Path
) -> None:
    script = """navigate "data:text/html,<title>Empty</title>"
other = tab_open PAGE
tab_open "data:text/html,<title>Empty</title>"
type textbox "Name" "Ada" tab_id=$other
tab_switch $other
expect textbox "Name" = "Ada"
expect no textbox "Name" = "Bob"
expect no button "Join" disabled
expect no button "Remove" #3
expect no button "Save" in dialog "Address"
"""
    ran = run(background, place, script, "-s", "named")
    assert (ran.code, ran.err) == (0, "")


def test_there_is_no_journal_of_an_unknown_session(background: Background) -> None:
    ran = background.run("script", "--journal", "-s", "unknown")
    assert (ran.code, "There is no session 'unknown'" in ran.err) == (MISUSED, True)


@pytest.mark.fault
def test_the_secrets_of_a_server_are_names_in_scripts_and_journals(tmp_path: Path) -> None:
    secrets = tmp_path / "secrets.env"
    secrets.write_text("SHOP_PASSWORD=correct horse\n")
    other = {"SHOP_PASSWORD": "of the environment"}
    with open_background(CHARLOTTE_SECRETS=str(secrets), **other) as background:
        text = 'navigate PAGE\ntype textbox "Password" "$SHOP_PASSWORD"\nclick button "Join"\n'
        ran = run(background, tmp_path, text + 'expect text "13 false small"', "-s", "shop")
        assert (ran.code, ran.err) == (0, "")
        journal = background.run("script", "--journal", "-s", "shop").out
        assert 'type textbox "Password" "${SHOP_PASSWORD}"' in journal
        (tmp_path / "journal.txt").write_text(journal)
        ran = background.run("script", "-s", "again", "journal.txt", cwd=tmp_path)
        assert (ran.code, ran.err) == (0, "")
        shown = 'navigate PAGE\ntype textbox "Name" "$SHOP_PASSWORD"\n'
        ran = run(background, tmp_path, f'{shown}expect textbox "Name" = x within 0.5 s')
        assert "has the value '<secret>SHOP_PASSWORD</secret>'" in ran.err
        assert "horse" not in ran.err
        ran = run(background, tmp_path, f"v = '{'x' * 190}correct horse'\nexpect $v = y")
        assert "xxx<secret>SH…', expected = 'y'" in ran.err


def test_the_journal_has_no_password_however_it_was_typed(background: Background) -> None:
    session = ("-s", "typed")
    background.out(*session, "navigate", PAGE)
    tree = background.out(*session, "observe", "tree")
    [reference] = re.findall(r'textbox "Password".*\[ref=(e\d+)\]', tree)
    background.out(*session, "type", reference, "sesame-1")
    background.out(*session, "key", "Control+a")
    background.out(*session, "key", "keys=" + json.dumps([*"sesame"]))
    background.out(*session, "type", "text=sesame-2")
    background.out(*session, "type", "x=1", "y=1", "text=sesame-3")
    background.out(*session, "clipboard", "write", "sesame-4")
    background.out(*session, "key", "Enter")
    journal = background.run("script", "--journal", *session).out
    assert journal.splitlines()[3:] == [
        'type textbox "Password" "${PASSWORD}"',
        'key "Control+a"',
        "# key: left out, because it can be part of a password",
        'type "${PASSWORD}"',
        'type "${PASSWORD}" x=1 y=1',
        'clipboard "write" text="${PASSWORD}"',
        'key "Enter"',
    ]
