"""Forms that come back: the fields that a script or a server rejects, with its messages."""

from urllib.parse import parse_qs

import pytest
from starlette.responses import HTMLResponse, Response

from tests.site.routes import Request
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

SCRIPTED = """<form novalidate onsubmit="event.preventDefault(); reject()">%s
<button>Send</button></form><div id=after></div><script>const reject = () => { %s }</script>"""


def rejected(tab: Tab, fields: str, script: str) -> dict[str, str]:
    """Send a form whose script rejects it; return the messages by the labels of the fields."""
    tab.open(SCRIPTED % (fields, script))
    answer = tab.click("Send")
    labels = {row["id"]: row["label"] for row in tab.call("find", within=form(tab))}
    return {labels[row["id"]]: row["message"] for row in answer.get("invalid", ())}


def form(tab: Tab) -> str:
    [only] = tab.call("observe")["forms"]
    return str(only["id"])


def test_a_field_that_a_script_rejects_is_reported_with_the_message(tab: Tab) -> None:
    cases = [
        (
            "<label>Mail<input id=m aria-errormessage=e></label><p id=e hidden>No mail address</p>",
            "m.ariaInvalid = true; e.hidden = false",
            "No mail address",
        ),
        (
            "<label>Mail<input id=m aria-describedby='h e'></label><p id=h>Why<p id=e role=alert>",
            "m.ariaInvalid = true; e.textContent = 'No mail address'",
            "No mail address",
        ),
        (
            "<div><label for=m>Mail</label><div><input id=m></div><p id=e></p></div>",
            "m.ariaInvalid = true; e.textContent = 'No mail address'",
            "No mail address",
        ),
        ("<label>Mail <input id=m></label>", "m.ariaInvalid = true", ""),
        (
            "<table><tr><th><label for=m>Mail</label>*<td><input id=m></table>",
            "m.ariaInvalid = true",
            "",
        ),
    ]

    for field, script, message in cases:
        with case(field, script, message):
            assert rejected(tab, field, script) == {"Mail": message}


def test_a_field_is_reported_again_while_it_is_marked(tab: Tab) -> None:
    field = "<p><label>Mail <input id=m></label><b id=e></b></p>"
    tab.open(SCRIPTED % (field, "m.ariaInvalid = true; e.textContent = 'Bad'"))
    mail = tab.find("Mail")

    first = tab.click("Send")
    second = tab.call("submit", form_id=form(tab))

    assert first["invalid"] == second["invalid"] == [{"id": mail, "message": "Bad"}]


def test_a_button_that_only_checks_reports_what_it_newly_rejects(tab: Tab) -> None:
    tab.open("""<form><label>Mail <input id=m></label>
      <label>Name <input aria-invalid=true required></label>
      <button type=button onclick="m.ariaInvalid = true">Check</button></form>""")
    field = tab.find("Mail")

    answer = tab.click("Check")

    assert [row["id"] for row in answer["invalid"]] == [field]


def test_a_message_is_written_once_with_its_field(tab: Tab) -> None:
    tab.open(SCRIPTED % (
        "<label>Mail <input id=m aria-describedby=e></label><p id=e></p>",
        "m.ariaInvalid = true; e.textContent = 'No mail address'",
    ))  # fmt: skip
    field, send = tab.find("Mail"), tab.find("Send")

    answer = tab.reply("click", element_id=send, answers="text").text
    page = tab.reply("observe", answers="text").text

    assert f'~ {field} [invalid: "No mail address"]' in answer.split("\n")
    assert answer.count("No mail address") == page.count("No mail address") == 1
    assert tab.element("Mail")["message"] == "No mail address"
    again = tab.reply("click", element_id=send, answers="text").text.split("\n")
    assert f"! invalid: {field}: No mail address" in again


REGISTER = """<form method=post action=%s>
<p>%s<label>Mail <input name=mail value="%s"%s></label></p>
<p><label>Name <input name=name></label></p>
<button>Join</button></form>"""


@pytest.fixture
def register(tab: Tab) -> Tab:
    """A registration that the server refuses and shows again."""

    async def answer(request: Request) -> Response:
        sent = parse_qs(request.body.decode())
        mail = sent.get("mail", [""])[0]
        errors = ("", "")
        if request.method == "POST" and "@" not in mail:
            errors = ("<span>No mail address</span>", " aria-invalid=true")
        elif request.method == "POST":
            return HTMLResponse("<h1>Welcome</h1>")
        problem, mark = errors
        return HTMLResponse(REGISTER % (request.path, problem, mail, mark))

    tab.call("navigate", url=tab.web.url(tab.web.handle(answer)))
    return tab


def test_fields_that_a_server_rejects_are_reported_on_the_page_that_comes_back(
    register: Tab,
) -> None:
    tab = register

    for how in ["submit", "click", "fill_form"]:
        with case(how):
            for _ in range(2):  # what is rejected again is reported again
                if how == "submit":
                    answer = tab.call("submit", form_id=form(tab))
                elif how == "click":
                    answer = tab.click("Join")
                else:
                    fields = [{"element_id": tab.find("Mail"), "value": "x"}]
                    answer = tab.call("fill_form", fields=fields, submit=True)

                mail = {"id": tab.find("Mail"), "message": "No mail address"}
                assert answer["invalid"] == [mail]


def test_a_server_that_accepts_a_form_rejects_nothing(register: Tab) -> None:
    register.type("Mail", "a@b.c")

    answer = register.click("Join")

    assert "invalid" not in answer
    assert answer["structure"]["headings"][0]["text"] == "Welcome"
