"""The records of elements and forms: types, labels, states and bounds."""

import pytest

from tests.whole.answers import mentions
from tests.whole.client import Message
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

TYPES = {
    "button": "<button>X</button>",
    "link": '<a href="/here">X</a>',
    "text_input": '<input aria-label="X">',
    "select": '<select aria-label="X"><option>One</option><option selected>Two</option></select>',
    "checkbox": '<input type="checkbox" aria-label="X">',
    "radio": '<input type="radio" aria-label="X">',
    "toggle": '<button role="switch" aria-checked="false">X</button>',
    "textarea": '<textarea aria-label="X"></textarea>',
    "file_input": '<input type="file" aria-label="X">',
    "range": '<input type="range" aria-label="X">',
    "date_input": '<input type="date" aria-label="X">',
    "color_input": '<input type="color" aria-label="X">',
}
PREFIXES = {
    "button": "btn", "link": "lnk", "text_input": "inp", "select": "sel", "checkbox": "chk",
    "radio": "rad", "toggle": "tog", "textarea": "inp", "file_input": "inp", "range": "inp",
    "date_input": "inp", "color_input": "inp",
}  # fmt: skip


def by_label(tab: Tab) -> dict[str, Message]:
    return {each["label"]: each for each in tab.call("observe")["interactive"]}


@pytest.mark.req("C-PR-12", "C-PR-15", "C-ID-05")
def test_every_kind_of_control_has_its_own_type(tab: Tab) -> None:
    tab.open("".join(markup.replace("X", kind) for kind, markup in TYPES.items()))

    found = by_label(tab)

    assert {label: each["type"] for label, each in found.items()} == {kind: kind for kind in TYPES}
    assert {label: each["id"][:3] for label, each in found.items()} == PREFIXES
    assert all({"id", "type", "label", "bounds", "state"} <= each.keys() for each in found.values())


@pytest.mark.req("C-PR-16", "C-PR-17", "C-PR-18", "C-PR-19")
def test_element_records_contain_only_applicable_fields(tab: Tab) -> None:
    tab.open(
        "".join(markup.replace("X", kind) for kind, markup in TYPES.items())
        + '<input aria-label="hinted" placeholder="you@example.org" value="ada">'
        + '<a href="/" role="button">act</a><input type="range" aria-label="far" placeholder="5">'
    )

    found = by_label(tab)

    assert {label for label, each in found.items() if "href" in each} == {"link"}
    assert found["link"]["href"] == tab.web.url("/here")
    assert {label for label, each in found.items() if "placeholder" in each} == {"hinted"}
    assert (found["hinted"]["placeholder"], found["hinted"]["value"]) == ("you@example.org", "ada")
    assert {label for label, each in found.items() if "options" in each} == {"select"}
    assert found["select"]["options"] == ["One", "Two"]
    values = {label: each["value"] for label, each in found.items() if "value" in each}
    assert values.keys() == {"hinted", "select", "range", "far", "color_input"}
    assert values["select"] == "Two"


@pytest.mark.req("C-PR-18")
def test_passwords_never_appear_in_answers(tab: Tab) -> None:
    tab.open("""<label>Secret <input type="password"></label>
      <button onclick="document.querySelector('input').type = 'text'">Show it</button>""")

    answers = [tab.type("Secret", "hunter2-and-more"), tab.call("observe", detail="full")]
    answers += [
        tab.click("Show it"),
        tab.call("observe", detail="full"),
        tab.call("find", text="S"),
    ]

    assert tab.element("Secret")["value"] == "••••"
    assert not mentions(answers, "hunter2")


@pytest.mark.smoke
@pytest.mark.req("C-PR-28", "C-PR-29", "C-PIPE-04")
def test_forms_list_their_own_fields_and_submit_buttons(tab: Tab) -> None:
    tab.open("""
      <form action="/search"><input aria-label="Find"><button>Go</button></form>
      <form method="post" action="/join"><input aria-label="Name"><input type="checkbox"
        aria-label="Letter"><button type="button">Cancel</button>
        <button type="submit">Register</button></form>
      <form><input aria-label="Lonely"></form>""")

    answer = tab.call("observe")

    ids = {each["label"]: each["id"] for each in answer["interactive"]}
    forms = answer["forms"]
    assert [form["fields"] for form in forms] == [
        [ids["Find"]], [ids["Name"], ids["Letter"]], [ids["Lonely"]],
    ]  # fmt: skip
    assert [form["submit"] for form in forms] == [ids["Go"], ids["Register"], None]
    assert [form["method"] for form in forms[:2]] == ["GET", "POST"]
    assert forms[0]["action"] == tab.web.url("/search")
    assert all(form["id"].startswith("frm-") for form in forms)


@pytest.mark.req("C-PIPE-02", "C-PIPE-03")
def test_generated_content_and_boxless_elements_cause_no_error(tab: Tab) -> None:
    # List markers, generated text, line breaks and elements without a box have no node
    tab.open("""<style>p::before { content: "Before " } p::after { content: url(x.png) }
      q { display: contents } ::marker { content: "* " } input::placeholder { color: red }</style>
      <ol><li>First<br>half<wbr>way<li><a href=/>Link</a></ol><p>Text</p>
      <q><button>Boxless</button></q><details><summary>More</summary>Inside</details>
      <input placeholder=Type><video controls></video><area href=/a><map></map>
      <nav><div role=presentation><p role=none><button>Deep</button></p></div></nav>""")

    answer = tab.call("observe", detail="full")

    assert {"Link", "Boxless", "More", "Deep"} <= {each["label"] for each in answer["interactive"]}
    summary = tab.call("observe", detail="minimal")["interactive_summary"]
    assert summary["by_landmark"]["navigation"] == {"button": 1}
    assert "Before Text" in answer["structure"]["full_content"]
