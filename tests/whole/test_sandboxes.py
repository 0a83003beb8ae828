"""Sandboxed documents without scripts: all tools work and log no message."""

from collections.abc import Callable

import pytest

from tests.whole.answers import changes, mentions, new_texts
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

INSIDE = """<body style="margin: 0"><details><summary>More</summary><p>Secret</p></details>
  <div style="height: 900px">Text</div><label><input type="checkbox"> Agree</label>
  <label>Name <input></label><a href="/counter.html">On</a>"""


def in_frame(tab: Tab) -> None:
    tab.open(f"<div style='height: 900px'>Outside</div><iframe sandbox srcdoc='{INSIDE}'></iframe>")


def of_its_own_site(tab: Tab) -> None:
    tab.open(f"<iframe sandbox='allow-same-origin' srcdoc='{INSIDE}'></iframe>")


def in_another_process(tab: Tab) -> None:
    url = tab.web.url(tab.web.write(INSIDE), host="other.localhost")
    tab.open(f"<div style='height: 900px'>Outside</div><iframe sandbox src='{url}'></iframe>")


def whole(tab: Tab) -> None:
    tab.open(tab.web.write(INSIDE, headers={"Content-Security-Policy": "sandbox"}))


KINDS: list[Callable[[Tab], None]] = [in_frame, of_its_own_site, in_another_process, whole]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def sandboxed(request: pytest.FixtureRequest, tab: Tab) -> Tab:
    """A page that is or contains a document without scripts."""
    request.param(tab)
    return tab


def test_a_page_that_requires_trusted_types_works_like_others(tab: Tab) -> None:
    for policy in ["", "; trusted-types default"]:
        with case(policy):
            headers = {"Content-Security-Policy": f"require-trusted-types-for 'script'{policy}"}
            frame = tab.web.write("<button>Inside</button>", headers=headers)
            page = "<h1>Trusted</h1><button onclick='title = 1'>Go</button>"
            tab.open(tab.web.write(f"{page}<iframe src='{frame}'></iframe>", headers=headers))
            assert tab.call("click", element_id=tab.find("Go"))["tab_id"] == tab.id
            assert tab.find("Inside")
            assert "Trusted" in tab.reply("observe", format="html").texts[0]
            assert tab.call("console", level="error")["messages"] == []


def test_actions_work_in_a_sandboxed_document_and_log_no_message(sandboxed: Tab) -> None:
    assert not mentions(sandboxed.call("observe", detail="full"), "Secret")
    assert changes(sandboxed.click("More"), property="state.expanded")
    assert mentions(sandboxed.call("observe", detail="full")["structure"], "Secret")
    assert "Secret" in sandboxed.reply("observe", mode="tree").text

    answer = sandboxed.click("Agree")
    sandboxed.call("hover", element_id=sandboxed.find("Agree"))
    sandboxed.type("Name", "Ada")

    assert changes(answer, property="state.checked")
    assert "unsettled" not in answer
    assert sandboxed.call("console")["messages"] == []


def test_wait_for_notices_changes_made_in_a_sandbox_by_the_outer_page(tab: Tab) -> None:
    of_its_own_site(tab)
    tab.js("""void setTimeout(() => {
      document.querySelector('iframe').contentDocument.body.append('Come at last')
    }, 1500)""")

    answer = tab.call("wait_for", text="Come at last")

    assert new_texts(answer)[0].endswith("Come at last")
    assert tab.call("console")["messages"] == []


def test_a_form_in_a_sandbox_is_submitted(tab: Tab) -> None:
    tab.open("""<iframe sandbox="allow-forms" srcdoc='<form action="/counter.html"><input name="q"
      aria-label="Question"></form>'></iframe>""")

    form = tab.call("observe")["forms"][0]["id"]

    tab.call("submit", form_id=form)

    assert tab.web.asked("/counter.html")[-1].query == {"q": ""}
