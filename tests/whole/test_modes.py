"""observe in its text modes: their format, options and metadata."""

import json
import re
from typing import Any

import pytest

from tests.whole.acme import ACME, ADS
from tests.whole.cases import case
from tests.whole.client import Message, Reply
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

REDIRECTING = "Detected intermediate/redirect page - snapshot may not contain meaningful content"


def text(tab: Tab, mode: str, **arguments: object) -> str:
    """Return the text of a mode with e-refs numbered from 1."""
    numbers: dict[str, str] = {}

    def renumbered(found: re.Match[str]) -> str:
        return numbers.setdefault(found[0], f"[ref=e{len(numbers) + 1}]")

    reply = tab.reply("observe", mode=mode, **arguments)
    return re.sub(r"\[ref=e\d+\]", renumbered, reply.texts[0]).replace(tab.row["url"], "URL")


def second(reply: Reply) -> Message:
    """Return the JSON in the second block of an answer."""
    about: Message = json.loads(reply.texts[1])
    return about


def about(tab: Tab, mode: str, **arguments: object) -> Message:
    return second(tab.reply("observe", mode=mode, **arguments))


@pytest.mark.req("V-CAP-01", "V-CAP-03", "V-CAP-04", "V-FMT-01", "V-REF-01")
def test_tree_mode_shows_a_page_with_a_frame(tab: Tab) -> None:
    tab.open(ACME + ADS)

    assert text(tab, "tree") == (
        "- document:\n"
        "  - banner\n"
        '    - heading "Acme" (level 1)\n'
        '    - navigation "Main"\n'
        '      - link "Home" [ref=e1]\n'
        '      - link "Docs" [ref=e2]\n'
        "  - main\n"
        '    - heading "Welcome" (level 2)\n'
        '    - textbox "Email" (required) [ref=e3]\n'
        '    - checkbox "Remember me" (unchecked) [ref=e4]\n'
        '    - button "Sign In" [ref=e5]\n'
        '  - iframe "Ads" [frame-boundary]\n'
        "    - document:\n"
        '      - button "Close" [ref=e6]'
    )


@pytest.mark.smoke
@pytest.mark.req(
    "B-INT-01", "B-INT-02", "B-INT-03", "B-INT-05", "B-INT-07", "B-OPT-05", "B-FMT-01", "B-REF-01"
)
def test_interactive_mode_lists_the_interactive_elements(tab: Tab) -> None:
    tab.open(ACME)

    assert text(tab, "interactive") == (
        "PAGE: URL | Written | viewport=1280x720\n"
        "SNAPSHOT: elements=14 refs=5\n"
        "\n"
        'LINK "Home" @ref:0 /header/nav/a[1]\n'
        'LINK "Docs" @ref:1 /header/nav/a[2]\n'
        'TEXTBOX "Email" @ref:2 [type=email required] /main/form/label[1]/input\n'
        'CHECKBOX "Remember me" @ref:3 /main/form/label[2]/input\n'
        'BUTTON "Sign In" @ref:4 /main/form/button'
    )


@pytest.mark.req("B-API-01", "B-META-01", "B-META-02", "B-META-08")
def test_the_second_block_describes_the_first(tab: Tab) -> None:
    tab.open(tab.web.write(ACME) + "?ServiceLogin")

    reply = tab.reply("observe", mode="interactive")
    answer = second(reply)
    assert answer["metadata"] == {
        "totalInteractiveElements": 5, "capturedElements": 5, "quality": "high",
        "depthLimited": False, "cached": False, "warnings": [REDIRECTING],
    }  # fmt: skip
    assert (answer["untrusted"], "refs" in answer) == (True, False)
    assert answer["length"] == len(reply.texts[0])
    assert answer["snapshot_id"] > 0


@pytest.mark.req("B-OPT-01")
def test_a_selector_or_reference_scopes_every_mode(tab: Tab) -> None:
    tab.open(ACME + ADS)

    modes = ("tree", "interactive", "all", "structure", "outline", "content")
    ways: list[Any] = [{"mode": "all", "format": "html"}, *({"mode": mode} for mode in modes)]
    for how in ways:
        with case(how):
            scoped = text(tab, **how, selector="nav").lower()
            assert "nav" in scoped
            assert "main" not in scoped.replace('"main"', "")
            assert len(text(tab, **how, selector=tab.find("Sign In"))) < len(text(tab, **how))
            missing = tab.refused("observe", **how, selector="aside")
            assert missing["code"] == "ELEMENT_NOT_FOUND"


@pytest.mark.req("B-OPT-02", "B-META-05")
def test_elements_below_the_maximum_depth_are_omitted(tab: Tab) -> None:
    tab.open("<div>" * 49 + "<button>Fiftieth</button><div><button>Deep</button>")

    usual = tab.reply("observe", mode="interactive")
    deeper = tab.reply("observe", mode="interactive", max_depth=51)
    assert [name in usual.texts[0] for name in ("Fiftieth", "Deep")] == [True, False]
    assert "Deep" in deeper.texts[0]
    limited = [second(reply)["metadata"]["depthLimited"] for reply in (usual, deeper)]
    assert limited == [True, False]


@pytest.mark.req("B-OPT-03", "B-META-03")
def test_hidden_elements_are_listed_on_request(tab: Tab) -> None:
    tab.open("<button>Seen</button>" + "<button style='display: none'>Hidden</button>" * 2)

    assert "Hidden" not in text(tab, "interactive")
    assert about(tab, "interactive")["metadata"]["quality"] == "medium"
    assert "Hidden" in text(tab, "interactive", include_hidden=True)


def test_collapsed_content_is_listed_on_request(tab: Tab) -> None:
    tab.open("""<details><summary>More</summary>Folded</details>
      <div style="content-visibility: hidden">Skipped</div>""")

    for mode in ["tree", "content"]:
        with case(mode):
            shown = tab.reply("observe", mode=mode).text
            everything = tab.reply("observe", mode=mode, include_hidden=True).text
            assert "More" in shown
            assert "Folded" not in shown
            assert "Skipped" not in shown
            assert "Folded" in everything
            assert "Skipped" in everything


def test_a_truncated_text_continues_at_the_cut(tab: Tab) -> None:
    tab.open("".join(f"<button>Number {number}</button>" for number in range(100)))

    first = tab.reply("observe", mode="tree", max_chars=1000)
    cut = second(first)["truncation"]
    rest = tab.reply("observe", cursor=cut["next_cursor"], max_chars=40_000)
    lines = (first.texts[0] + "\n" + rest.texts[0]).split("\n")
    assert len(first.texts[0]) <= 1000
    assert [line.split(" [")[0] for line in lines[1:]] == [
        f'  - button "Number {number}"' for number in range(100)
    ]
    assert all(" [ref=e" in line for line in lines[1:])


@pytest.mark.req("B-HEAD-01", "B-HEAD-02", "B-HEAD-06", "B-OPT-01", "B-OUT-02")
def test_head_mode_summarizes_a_page(tab: Tab) -> None:
    tab.open(ACME)
    tab.reply("observe", mode="outline")

    assert text(tab, "head") == (
        "URL: URL\n"
        "TITLE: Written\n"
        "VIEWPORT: 1280x720\n"
        "STATUS: ready\n"
        "ELEMENTS: total=13 interactive=5\n"
        "READY_STATE: complete"
    )
    assert "ELEMENTS: total=3 interactive=2" in text(tab, "head", selector="nav")
    assert tab.call("find", refs=["@ref:2", "@ref:3"])["valid"] == ["@ref:2"]


@pytest.mark.req("B-FMT-02")
def test_html_format_returns_the_unchanged_html(tab: Tab) -> None:
    tab.open(ACME)

    reply = tab.reply("observe", format="html")
    assert reply.texts[0] == tab.js("document.body.outerHTML")
    warnings = second(reply)["metadata"]["warnings"]
    assert warnings == ["Raw HTML format - no filtering or ref generation applied"]
    assert "refs" not in second(tab.reply("observe", mode="all", format="html", include_refs=True))


@pytest.mark.req("B-FMT-02", "B-META-07")
def test_html_of_a_page_without_controls_is_not_called_empty(tab: Tab) -> None:
    tab.open("<p>Some text")

    metadata = second(tab.reply("observe", format="html"))["metadata"]
    assert metadata["quality"] == "high"
    assert not [line for line in metadata["warnings"] if "empty" in line]
    assert tab.reply("observe", format="html", answers="text").texts == [
        tab.js("document.body.outerHTML")
    ]


@pytest.mark.req("B-CNT-01", "B-MD-01", "B-FMT-03", "B-OUT-07", "B-GREP-06", "B-GREP-07")
def test_content_mode_returns_the_content_of_a_page(tab: Tab) -> None:
    tab.open("""<main><h1>Title</h1><p>Some <b>bold</b> text, <a href="/docs">linked</a>.
        <div class="highlight-python3"><div><pre>a = 1
<span>b</span> = 2
</pre></div></div><pre class=language-javascript>c</pre><ul><li>one<li>two</ul></main>""")

    content = text(tab, "content")
    assert "CONTENT: sections=1 words=14\n\nSECTION /main [14 words]\n" in content
    assert "\n  CODE [python3, 2 lines]\n    a = 1\n    b = 2\n" in content
    found = text(tab, "outline", grep="javascript")
    assert found.endswith(" grep=javascript matches=1\n\n  CODE [javascript, 1 lines] /main/pre")
    none = text(tab, "content", grep="(x")
    assert none.endswith("CONTENT: sections=0 words=0 grep=(x matches=0\n")
    assert "matched literally" in str(about(tab, "content", grep="(x"))
    shown = text(tab, "content", format="markdown")
    assert shown.startswith("<!-- source: URL -->\n")
    assert "\n\nSome **bold** text, [linked](http://" in shown
    assert "\n\n```python3\na = 1\nb = 2\n```\n\n```javascript\nc\n```\n\n- one\n" in shown
    assert shown.endswith("\n- two\n\n<!-- end: 14 words extracted -->")
    assert tab.refused("observe", mode="tree", format="markdown")["code"] == "INVALID_ARGUMENT"


@pytest.mark.req("B-OPT-07", "B-OPT-08", "B-OPT-09", "B-OPT-10", "B-STR-01")
def test_options_change_the_limits_and_the_style_of_a_text(tab: Tab) -> None:
    menu = "<nav><a href=/>Home</a> <img src=/x alt=Cat></nav><main>"
    tab.open("<h2>Part</h2>" * 150 + menu + "z" * 5000)
    others = {"max_length": 6000, "include_links": False, "include_images": True}

    for options, expected in [({}, [True, False, True, False]), (others, [False, True] * 2)]:
        shown = text(tab, "content", format="markdown", **options)
        marks = ("[Home](", "![Cat]", "z" * 1997 + "...", "z" * 5000)
        assert [mark in shown for mark in marks] == expected
    assert text(tab, "structure").count("\n") == 99
    assert text(tab, "structure", max_lines=5).count("\n") == 4


CONTROLS = """<a href=/>X</a><input maxlength=9 minlength=2 pattern=a><input type=search>
  <input type=number min=1 max=9><input type=range><input type=checkbox checked disabled>
  <input type=radio><textarea aria-invalid=true required></textarea><select><option>X</select>
  <select multiple></select><details open><summary>X</summary></details><b tabindex=0>X</b>
  <p contenteditable>X</p><p>Text</p><h2>Head</h2><p role=tree><b role=treeitem>X</b></p>
  <p role=listbox><b role=option aria-selected=true>X</b></p>"""
ROLES = """button link tab menuitem checkbox radio switch menuitemcheckbox menuitemradio textbox
  searchbox combobox listbox slider spinbutton"""


@pytest.mark.req("B-INT-04", "B-INT-05", "B-INT-06")
def test_every_kind_of_control_is_listed_with_its_states(tab: Tab) -> None:
    roles = ROLES.split()
    tab.open("".join(f"<div role={role}>X</div>" for role in roles) + CONTROLS)

    lines = text(tab, "interactive").lower().split("\n")[3:]
    assert [re.sub(r'( "x")? @ref:\d+| /.*', "", line) for line in lines] == [
        *roles, "link", "textbox [minlength=2 maxlength=9 pattern=a]", "searchbox [type=search]",
        "spinbutton [type=number min=1 max=9]", "slider [type=range]",
        "checkbox (disabled, checked)", "radio", "textbox [required invalid]", "combobox",
        "listbox", "button (expanded)", "generic", "textbox", "treeitem", "listbox",
        "option (selected)",
    ]  # fmt: skip


@pytest.mark.req("V-FMT-05", "B-OPT-01")
def test_a_selector_scopes_the_page_answer_and_its_full_text(tab: Tab) -> None:
    long = "word " * 50
    tab.open(f"{ACME}<p id=long>{long}<button>Inside</button></p><p>Outside</p>")

    tree = tab.reply("observe", mode="tree", all_refs=True).text
    [ref] = re.findall(r'paragraph "word .*\.\.\." \[ref=(e\d+)\]', tree)
    part = tab.call("observe", selector=ref, detail="full")
    assert [one["label"] for one in part["interactive"]] == ["Inside"]
    assert part["structure"]["landmarks"] == []
    assert part["structure"]["full_content"] == f"{long}Inside"
    menu = tab.call("observe", selector="header")
    assert [one["role"] for one in menu["structure"]["landmarks"]] == ["banner", "navigation"]
    assert [one["label"] for one in menu["interactive"]] == ["Home", "Docs"]


PETS = """<h1>Pets</h1><table><tr><th>Name<th>City<tr><td>Gus<td>Lima
  <tr><td>Ann<td>Rome <button>Feed Ann</button></table><nav aria-label=More>
  <ul><li><p>Gus the cat</p><a href=/gus>His page</a><li><a href=/ann>Her page</a></ul></nav>"""


@pytest.mark.req("B-OPT-06")
def test_grep_returns_the_matching_lines_of_the_default_mode(tab: Tab) -> None:
    tab.open(PETS)

    [found] = tab.reply("observe", grep="Gus", answers="text").texts
    [none] = tab.reply("observe", grep="Zoe", answers="text").texts

    assert found.split("\n") == [
        tab.id,
        "| Name | City",
        "| Gus | Lima",
        '[nav "More"]',
        f'  * Gus the cat | {tab.find("His page")} "His page"',
        "! matches: 2",
    ]
    assert none == f"{tab.id}\n! matches: 0"


ANCHORS = """<style>.hash::before { content: '#' }</style><section id=start>
  <h1>Start<a class=headerlink href=#start title="Link to this heading">¶</a></h1></section>
  <h2 id=use>Use <a class=hash href=#use aria-label="Direct link to Use"></a></h2>
  <h2 id=errors><a href=#errors>&sect;</a> Errors</h2>
  <dl><dt id=run>run()<a href=#run>¶</a></dt><dd>Runs it</dd></dl>
  <h3 id=more><a href=#more>More</a></h3><h3 id=top>Top <a href=#start>#</a></h3>"""


def test_signs_that_link_to_their_heading_are_left_out(tab: Tab) -> None:
    tab.open(ANCHORS)

    for mode in ["page", "content", "tree", "outline"]:
        with case(mode):
            shown = tab.reply("observe", mode=mode, answers="text").text
            assert not re.search("¶|Direct link|\N{SECTION SIGN}", shown)
            assert all(name in shown for name in ("Start", "Use", "Errors", "More", "Top"))
