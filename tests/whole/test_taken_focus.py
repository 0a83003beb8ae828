"""Keys go to the element that they are meant for, or nowhere, whatever takes the focus."""

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

FIELDS = """<input id=a aria-label=Comment><input id=b type=password aria-label=Password>
<input id=c aria-label=Search><button id=d onclick="e.textContent = 'Cancelled'">Cancel</button>
<p id=e>None</p><script>{}</script>"""
VALUES = "[a.value, b.value, c.value, e.textContent]"


@pytest.mark.parametrize(
    "thief",
    [
        "a.onfocus = () => setTimeout(() => b.focus())",
        "a.onfocus = () => requestAnimationFrame(() => c.focus())",
        "a.onfocus = () => requestAnimationFrame(() => d.focus())",
        "a.onfocus = () => a.blur()",
        "a.oninput = () => { if (a.value === 'he') setTimeout(() => b.focus()) }",
        "setInterval(() => b.focus(), 3)",
        "a.onkeydown = ({ key }) => { if (key === 'l') d.focus() }",
    ],
)
def test_a_text_is_typed_into_its_field_or_nowhere(tab: Tab, thief: str) -> None:
    tab.open(FIELDS.format(thief))

    reply = tab.reply("type", element_id=tab.element("Comment")["id"], text="hello world")

    typed, *others = tab.js(VALUES)
    assert others == ["", "", "None"]
    assert typed == "hello world" or reply.error["code"] == "ELEMENT_NOT_INTERACTIVE"
    assert "hello world".startswith(typed)


def test_the_error_names_what_took_the_focus_and_how_much_was_typed(tab: Tab) -> None:
    tab.open(FIELDS.format("a.onkeydown = () => { if (a.value === 'hello') d.focus() }"))

    error = tab.refused("type", element_id=tab.element("Comment")["id"], text="hello world")

    assert error["message"].startswith('button#d "Cancel" took the focus from ')
    assert error["message"].endswith(" 'Comment' after 5 of 11 keys.")


def test_what_takes_the_focus_once_does_not_stop_the_text(tab: Tab) -> None:
    once = "a.onkeydown = () => { if (a.value === 'he') { a.onkeydown = null; d.focus() } }"
    tab.open(FIELDS.format(once))

    tab.type("Comment", "hello world", press_enter=True)

    assert tab.js(VALUES) == ["hello world", "", "", "None"]


@pytest.mark.parametrize(
    "delay", ["setTimeout(() => d.focus())", "setTimeout(() => d.focus(), 30)", "d.focus()"]
)
def test_enter_is_pressed_in_the_field_that_has_the_text(tab: Tab, delay: str) -> None:
    page = FIELDS.format(f"a.oninput = () => {{ if (a.value.length === 4) {delay} }}")
    tab.open(
        page + "<script>a.onkeyup = ({key}) => { if (key === 'Enter') c.value = a.value }</script>"
    )

    tab.type("Comment", "AB12", press_enter=True)

    assert tab.js(VALUES) == ["AB12", "", "AB12", "None"]


@pytest.mark.parametrize(
    ("script", "slowly"), [("c.focus()", False), ("setTimeout(() => c.focus())", True)]
)
def test_a_text_goes_on_in_the_field_to_which_a_full_field_moves_on(
    tab: Tab, script: str, *, slowly: bool
) -> None:
    page = FIELDS.replace("<input id=a", "<input id=a maxlength=3")
    tab.open(page.format(f"a.oninput = () => {{ if (a.value.length === 3) {script} }}"))

    tab.type("Comment", "123456", slowly=slowly)

    assert tab.js(VALUES) == ["123", "", "456", "None"]


@pytest.mark.parametrize("when", ["setTimeout(open)", "Promise.resolve().then(open)", "open()"])
def test_a_text_goes_into_the_field_that_its_own_field_opens(tab: Tab, when: str) -> None:
    page = FIELDS.replace("<input id=c", "<input id=c hidden")
    opens = "const open = () => { c.hidden = false; c.focus() }; a.onfocus = () => " + when
    tab.open(page.format(opens + "; c.onchange = () => { e.textContent = 'Sent' }"))

    tab.type("Comment", "parallel tabs", press_enter=True)

    assert tab.js(VALUES) == ["", "", "parallel tabs", "Sent"]


@pytest.mark.parametrize("text", ["short", "long " * 50])
@pytest.mark.parametrize("site", ["127.0.0.1", "localhost"])
def test_a_secret_is_in_its_field_whatever_takes_the_focus(tab: Tab, site: str, text: str) -> None:
    got = tab.web.write("")
    thief = f"setInterval(() => {{ focus(); i.focus() }}, 3); i.oninput = () => fetch('{got}')"
    frame = tab.web.url(tab.web.write(f"<input id=i><script>{thief}</script>"), host=site)
    script = "b.onkeydown = b.onbeforeinput = () => c.focus(); setInterval(() => c.focus(), 3)"
    tab.open(FIELDS.format(script) + f"<iframe src={frame}></iframe>")

    tab.type("Password", text)

    assert tab.js(VALUES) == ["", text, "", "None"]
    assert not tab.web.asked(got)


def test_a_secret_that_only_keys_enter_goes_on_in_no_other_field(tab: Tab) -> None:
    tab.open("""<div id=b tabindex=0 role=textbox aria-label=Password style="height: 20px;
      -webkit-text-security: disc">x</div><input id=c type=password><script>
      b.editContext = new EditContext();
      b.onkeydown = ({ key }) => { b.append(key); if ('cr'.includes(key)) c.focus() }</script>""")
    error = tab.refused("type", element_id=tab.find("Password"), text="secret")
    assert "input#c" in error["message"]
    assert tab.js("c.value") == ""


def test_keys_for_an_element_do_not_reach_another(tab: Tab) -> None:
    tab.open(FIELDS.format("a.onfocus = () => requestAnimationFrame(() => d.focus())"))

    error = tab.refused("key", element_id=tab.element("Comment")["id"], keys=["x", "Enter"])

    assert 'button#d "Cancel" took the focus' in error["message"]
    assert tab.js(VALUES) == ["", "", "", "None"]


def test_the_keys_of_an_element_may_move_the_focus(tab: Tab) -> None:
    tab.open(FIELDS.format(""))

    tab.reply("key", element_id=tab.element("Search")["id"], keys=["x", "Tab", "Enter"])

    assert tab.js(VALUES) == ["", "", "x", "Cancelled"]


def test_a_code_is_typed_into_its_boxes_only(tab: Tab) -> None:
    boxes = "".join(f"<input maxlength=1 aria-label=D{n} class=box>" for n in range(4))
    page = f"<style>.box {{ width: 30px }}</style><p>{boxes}</p>{FIELDS}"
    tab.open(page.replace("{}", "setInterval(() => c.focus(), 3)"))

    reply = tab.reply("type", element_id=tab.element("D0")["id"], text="1234")

    typed = tab.js("[...document.querySelectorAll('.box')].map(box => box.value).join('')")
    assert typed == "1234" or "took the focus from box" in reply.error["message"]
    assert "1234".startswith(typed)
    assert tab.js(VALUES) == ["", "", "", "None"]


def test_keys_of_later_calls_go_wherever_the_focus_is(tab: Tab) -> None:
    tab.open(FIELDS.format("a.onfocus = () => requestAnimationFrame(() => c.focus())"))
    for label in ("Password", "Comment"):  # the second one cannot keep the focus
        tab.reply("type", element_id=tab.element(label)["id"], text="hunter2")
        tab.js("d.focus()")

        tab.call("key", key="Enter")

        assert tab.js("e.textContent") == "Cancelled"
        tab.js("e.textContent = 'None'")
