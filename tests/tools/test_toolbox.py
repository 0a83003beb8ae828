"""Tools are found under every spelling, and each session has its own list."""

import pytest

from charlotte.actors.state.news import MOST_NEWS
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.answers.news import news_of
from charlotte.answers.pages import limit_extras, news_as_json
from charlotte.base.errors import InvalidArgument
from charlotte.config.config import Naming, ProfileName
from charlotte.page.model import compact_json
from charlotte.tools.schema.tool import Toolbox, UnknownTool
from charlotte.tools.tabs import list_tabs
from charlotte.tools.toolkit import CATALOG
from tests.tools import samples


def toolbox(
    profile: ProfileName = "browse", naming: Naming = "underscore", *, strict: bool = False
) -> Toolbox:
    return Toolbox(samples.ALL, profile=profile, naming=naming, strict_profile=strict)


def names(box: Toolbox) -> list[str]:
    return [listing.name for listing in box.listed()]


@pytest.mark.parametrize(
    "name", ["charlotte_tab_switch", "charlotte:tab_switch", "tab_switch", "tabSwitch"]
)
@pytest.mark.parametrize("naming", ["underscore", "colon", "bare"])
def test_a_tool_is_found_by_every_spelling(name: str, naming: Naming) -> None:
    assert toolbox(naming=naming).find(name) is samples.tab_switch


def test_a_tool_that_needs_something_is_listed_only_if_the_server_has_it() -> None:
    without = Toolbox(CATALOG, profile="full", naming="bare")
    with_it = Toolbox(CATALOG, profile="browse", naming="bare", available={"dashboard"})

    assert "ask_person" not in names(without)
    assert "ask_person" not in str(without.groups())
    assert "ask_person" in names(with_it)
    assert without.find("ask_person") is with_it.find("ask_person")


def test_a_tool_or_a_group_is_enabled_by_its_name() -> None:
    box = toolbox(profile="core", naming="bare")
    box.enable("fill_form")
    assert "fill_form" in names(box)
    box.disable("interaction")
    assert not {"fill_form", "click"} & set(names(box))
    with pytest.raises(InvalidArgument, match=r"got 'fil_form' \(did you mean fill_form\?\)"):
        box.enable("fil_form")


@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        ("core", ["click", "observe", "tools"]),
        ("browse", ["click", "fill_form", "observe", "tab_switch", "batch", "back", "tools"]),
        ("audit", ["observe", "tab_switch", "batch", "back", "tools"]),
        (
            "full",
            ["click", "fill_form", "observe", "tab_switch", "batch", "back", "tools", "upload"],
        ),
    ],
)
def test_a_profile_lists_its_tools(profile: ProfileName, expected: list[str]) -> None:
    assert expected == names(toolbox(profile, "bare"))


def test_a_hidden_tool_answers_but_is_never_listed() -> None:
    box = toolbox("full")

    assert box.find("validateRefs") is samples.validate_refs
    assert "charlotte_validate_refs" not in names(box)


def test_an_unknown_name_gets_the_closest_names_suggested() -> None:
    with pytest.raises(UnknownTool, match=r"Unknown tool: clikc; did you mean charlotte_click\?"):
        toolbox().find("clikc")
    with pytest.raises(UnknownTool, match=r"^Unknown tool: browser_pdf$"):
        toolbox().find("browser_pdf")


def test_a_disabled_tool_answers_unless_the_profile_is_strict() -> None:
    assert toolbox().find("upload") is samples.upload
    with pytest.raises(UnknownTool, match=r'upload is disabled.*"group": "upload"'):
        toolbox(strict=True).find("upload")


def test_a_session_does_not_see_the_tools_enabled_by_another() -> None:
    one, other = toolbox(), toolbox()

    one.disable("interaction")

    assert names(other) == names(toolbox())


def test_only_the_full_profile_lists_rare_parameters() -> None:
    def parameters(profile: ProfileName) -> set[str]:
        box = Toolbox(CATALOG, profile=profile, naming="bare")
        [scroll] = [tool for tool in box.listed() if tool.name == "scroll"]
        return set(scroll.input_schema["properties"])

    assert parameters("full") - parameters("browse") == {
        "block", "inline", "scroll_offset", "modifiers", "detail"
    }  # fmt: skip


def test_rare_parameters_are_accepted_although_they_are_not_listed() -> None:
    scroll = Toolbox(CATALOG, profile="core", naming="bare").find("scroll")

    assert scroll.parse({"element_id": "clk-aaaa", "block": "end"})["block"] == "end"


LIMIT = 5_000
ROWS = [{"id": f"tab-{n}", "url": "data:," + "x" * 500, "title": ""} for n in range(40)]


def test_a_short_list_is_an_array() -> None:
    assert list_tabs(ROWS[:3], None, LIMIT) == ROWS[:3]


def test_a_long_list_is_truncated_and_continued_without_gap_or_repetition() -> None:
    seen: list[object] = []
    start: str | None = None
    for _ in ROWS:
        answer = list_tabs(ROWS, start, LIMIT)
        assert len(compact_json(answer)) <= LIMIT
        *rows, cut = answer
        if cut.get("type") != "truncation":
            assert seen + answer == ROWS
            return
        assert (cut["total"], cut["returned"]) == (len(ROWS), len(rows))
        seen += rows
        start = cut["next_cursor"]
    raise AssertionError("the list has no end")


def test_each_extra_has_a_share_and_omissions_are_counted() -> None:
    extras = {
        "notices": [f"notice {number} {'x' * 100}" for number in range(50)],
        "opened_tabs": [{"id": f"tab-{n}", "url": "http://a.test/" + "u" * 5000} for n in range(9)],
        "note": "n" * 9000,
        "status": 200,
    }

    shown = limit_extras(extras, 4000)

    assert len(compact_json(shown)) < 4000 / 2
    assert shown["status"] == 200
    assert shown["notices"][-1].startswith("notice 49 ")
    assert shown["left_out"]["notices"] == 50 - len(shown["notices"])
    assert shown["opened_tabs"][-1]["id"] == "tab-8"


def test_extras_that_fit_are_unchanged() -> None:
    extras = {"notices": ["one", "two"], "delta": {"changes": 1}, "unsettled": ["fetch"]}

    assert limit_extras(extras, 40_000) == extras


def test_notices_between_calls_are_limited_and_counted() -> None:
    record = TabRecord("tab-1", SessionRecord("session-1"))
    for number in range(5000):
        record.notify([f"The alert dialog '{number}' was dismissed at once."])

    news = news_of(record)
    reported = news_as_json(news)
    news.consume()

    assert len(record.notices) == 0
    assert len(reported["notices"]) == MOST_NEWS + 1
    assert reported["notices"][0] == f"{5000 - MOST_NEWS} earlier notices were left out."
    assert "'4999'" in reported["notices"][-1]
    assert news_as_json(news_of(record)) == {}
