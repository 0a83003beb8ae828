"""select and toggle: by value, by text, in native lists and in ARIA lists."""

import pytest

from tests.whole.answers import changes
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

NATIVE = """<label>Size <select id="s" onchange="log.push(['change', value])">
  <option value="s">Small</option><option value="m">Medium</option>
  <option value="l" disabled>Large</option>
  <optgroup label="More" disabled><option>Huge</option></optgroup>
</select></label>
<script>globalThis.log = []; s.oninput = () => log.push(['input', s.value]);</script>"""

MULTIPLE = """<label>Colours <select id="s" multiple>
  <option selected>Red</option><option>Green</option><option>Blue</option></select></label>"""

COMBOBOX = """<div id="box" role="combobox" tabindex="0" aria-expanded="false" aria-controls="list"
  aria-label="Country" onclick="toggleList()">Choose</div>
<div id="list" role="listbox" hidden>
  <div role="option" data-value="no">Norway</div><div role="option" data-value="pe">Peru</div>
  <div role="option" aria-disabled="true">Atlantis</div></div>
<script>
  const toggleList = () => { list.hidden = !list.hidden; box.ariaExpanded = String(!list.hidden); };
  list.onclick = (e) => { box.textContent = e.target.textContent; toggleList(); };
</script>"""

FILTERED = """<input id="i" role="combobox" aria-label="City" aria-controls="list">
<ul id="list" role="listbox"></ul>
<script>
  const all = ['Oslo', 'Lima', 'Lisbon'];
  i.oninput = () => setTimeout(() => {
    list.replaceChildren(...all.filter((city) => city.startsWith(i.value)).map((city) => {
      const option = document.createElement('li');
      option.role = 'option';
      option.textContent = city;
      option.onclick = () => { i.value = city; list.replaceChildren(); };
      return option;
    }));
  }, 50);
</script>"""


LISTBOX = """<ul role=listbox aria-multiselectable=true aria-label=Colours tabindex=0>
  <li role=option aria-selected=true>Red<li role=option aria-selected=true>Green</ul>
<script>document.querySelector('ul').onclick = ({ target }) => {
  target.ariaSelected = String(target.ariaSelected !== 'true') }</script>"""


@pytest.mark.req("C-SEL-01")
def test_select_chooses_an_option_and_fires_its_events(tab: Tab) -> None:
    tab.open(NATIVE)

    answer = tab.call("select", element_id=tab.find("Size"), value=" medium ")

    assert tab.js("s.value") == "m"
    assert tab.js("log") == [["input", "m"], ["change", "m"]]
    [change] = answer["delta"]["changes"]
    assert change["property"] == "value"


def test_a_multiple_select_ends_with_exactly_the_given_options(tab: Tab) -> None:
    tab.open(MULTIPLE)

    tab.call("select", element_id=tab.find("Colours"), value=["Green", "Blue"])

    assert tab.js("[...s.selectedOptions].map((o) => o.text)") == ["Green", "Blue"]


@pytest.mark.parametrize("page", [MULTIPLE, LISTBOX])
def test_an_empty_list_empties_a_multiple_select(tab: Tab, page: str) -> None:
    tab.open(page)

    tab.call("select", element_id=tab.find("Colours"), value=[])

    assert tab.js("document.querySelector('option:checked, [aria-selected=true]')") is None
    tab.open(page.replace(" multiple", "").replace("ariaSelected =", "x =").replace("Green", ""))
    assert "takes one" in tab.refused("select", element_id=tab.find("Colours"), value=[])["message"]


@pytest.mark.parametrize("before", ["", "<option>Loading …", "<option>S<option>M"])
def test_an_option_that_the_page_adds_late_is_awaited(tab: Tab, before: str) -> None:
    tab.open(f"<select aria-label=Size id=s>{before}</select>")
    size = tab.find("Size")
    error = tab.refused("select", element_id=size, value="L")
    tab.js("setTimeout(() => { s.innerHTML = '<option>S<option>L' }, 300)")

    tab.call("select", element_id=size, value="L")

    assert "has no option 'L', also after 1 s." in error["message"]
    assert tab.js("s.value") == "L"


def test_select_opens_a_combobox_of_divs_and_clicks_its_option(tab: Tab) -> None:
    for option in ("Peru", "pe"):
        with case(option):
            tab.open(COMBOBOX)
            tab.call("select", element_id=tab.find("Country"), value=option)
            assert tab.js("box.textContent") == "Peru"
            assert tab.js("list.hidden") is True

    error = tab.refused("select", element_id=tab.find("Country"), value="Chile")

    assert "'Norway', 'Peru', 'Atlantis'" in error["message"]


def test_select_types_into_a_combobox_that_filters(tab: Tab) -> None:
    tab.open(FILTERED)

    tab.call("select", element_id=tab.find("City"), value="Lisbon")

    assert tab.js("i.value") == "Lisbon"


def test_select_refuses_an_element_without_options(tab: Tab) -> None:
    tab.open("<a href='#'>Home</a>")

    error = tab.refused("select", element_id=tab.find("Home"), value="x")

    assert error["code"] == "ELEMENT_NOT_INTERACTIVE"


HIDDEN = {
    "gone": "display: none",
    "read": "position: absolute; width: 1px; height: 1px; clip: rect(0 0 0 0)",
    "flat": "position: absolute; opacity: 0; width: 0; height: 0; margin: 0",
}
LINK = '<a href="#terms" onclick="document.title = 1" style="padding: 0 40px">the terms</a>'
CONSENT = f'<input type={{}} name=n id=c style="{{}}"><label for=c>{{}} {LINK}</label>'
KNOB = "<i style='display: inline-block; width: 40px; height: 20px' {}></i>"
PRESSED = KNOB.format('onclick="c.click()"')
SWITCH = f'<input id=c type=checkbox role=switch aria-label=Terms style="{HIDDEN["flat"]}">'
FORWARD = "c.checked = !c.checked; event.preventDefault()"


def set_in_every_way(tab: Tab, page: str) -> None:
    for way in ("click", "toggle", "fill_form"):
        with case(way, page):
            tab.open(page)
            box = tab.call("find", selector="#c")[0]["id"]
            fields = {"fields": [{"element_id": box, "value": True}]}
            tab.call(way, **(fields if way == "fill_form" else {"element_id": box}))
            assert tab.js("[c.checked, document.title]") == [True, "Written"]


@pytest.mark.parametrize("hidden", HIDDEN.values())
def test_a_link_in_the_label_of_a_hidden_control_is_not_followed(tab: Tab, hidden: str) -> None:
    set_in_every_way(tab, CONSENT.format("radio", hidden, "Yes, I accept"))
    if hidden != HIDDEN["gone"]:
        set_in_every_way(tab, CONSENT.format("checkbox", hidden, ""))
        return
    tab.open(CONSENT.format("checkbox", hidden, ""))
    error = tab.refused("toggle", element_id=tab.find("the terms", type="checkbox"))
    assert 'is covered by a "the terms"' in error["message"]


@pytest.mark.parametrize(
    "widget",
    [
        f'<div onclick="{FORWARD}">{SWITCH}{KNOB}</div>',
        f"<div>{SWITCH}<b>On</b>{PRESSED}</div>",
        f"<div>{PRESSED}<div>{SWITCH}</div></div>",
    ],
)
def test_a_switch_without_size_is_pressed_at_its_visible_part(tab: Tab, widget: str) -> None:
    set_in_every_way(tab, widget)
    assert "hidden" not in tab.element("Terms")["state"]


@pytest.mark.parametrize("form", ["true", "false"])
def test_toggle_of_a_label_presses_the_box_in_its_shadow_root(tab: Tab, form: str) -> None:
    tab.open(f"""<label>I accept <x-box id=h></x-box></label><script>
      customElements.define('x-box', class extends HTMLElement {{
        static formAssociated = {form};
        constructor() {{ super();
          this.attachShadow({{ mode: 'open' }}).innerHTML = '<input type=checkbox>' }} }});
    </script>""")

    tab.call("toggle", element_id=tab.call("find", selector="label")[0]["id"])

    assert tab.js("h.shadowRoot.firstChild.checked") is True


@pytest.mark.req("C-TOG-01")
def test_toggle_checks_every_kind_of_checkable_element(tab: Tab) -> None:
    tab.open("""<label><input type=checkbox>A</label><label><input type=radio>B</label>
      <div role=switch tabindex=0 aria-checked=false onclick='ariaChecked = true'>C</div>
      <input id=d type=checkbox style='opacity: 0; width: 0'><label for=d>D</label>
      <label style='cursor: pointer'><input type=checkbox hidden><b>E</b></label>
      <input id=f type=radio style='visibility: hidden'><label for=f>F</label>
      <div role=checkbox tabindex=0 onclick='ariaChecked = true'>G</div>
      <div role=radio tabindex=0 onclick='ariaChecked = true'>H</div>""")
    for name in "ABCDEFGH":
        with case(name):
            answer = tab.call("toggle", element_id=tab.find(name))
            assert changes(answer, property="state.checked", to=True)
            assert tab.element(name)["state"]["checked"] is True


def test_a_box_that_the_page_leaves_unchanged_is_reported(tab: Tab) -> None:
    tab.open("""<input type=checkbox aria-label=A onclick='event.preventDefault()'>
      <input type=radio aria-label=B onclick='return false'>
      <div role=switch tabindex=0 aria-checked=true>C</div>""")
    for tool in ("toggle", "click"):
        for name, expected in [("A", "unchecked"), ("B", "unchecked"), ("C", "checked")]:
            with case(tool, name):
                answer = tab.call(tool, element_id=tab.find(name))
                assert f"is still {expected}: " in answer["note"]


def test_a_click_on_a_native_list_is_answered_with_what_chooses(tab: Tab) -> None:
    tab.open("""<select aria-label=A><option>1</select>
      <select aria-label=B onmousedown="b.textContent = 'own list'"><option>1</select>
      <p id=b></p>""")

    assert "choose with select" in tab.click("A")["note"]
    assert "note" not in tab.click("B")


def test_a_box_that_changed_or_disappeared_is_not_reported(tab: Tab) -> None:
    tab.open("""<input type=checkbox aria-label=A><input type=radio aria-label=B checked>
      <input type=checkbox aria-label=C onclick='c.remove()' id=c>
      <input type=checkbox aria-label=D onclick='location = `/index.html`; return false'>""")
    for name in "ABCD":
        with case(name):
            assert "note" not in tab.call("click", element_id=tab.find(name))


def test_select_does_not_click_a_button_that_opens_no_list(tab: Tab) -> None:
    tab.open("<button onclick='document.title = 1'>Delete all</button>")

    error = tab.refused("select", element_id=tab.find("Delete all"), value="x")

    assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
    assert "offers no options" in error["message"]
    assert tab.js("document.title") != "1"


@pytest.mark.req("C-TOG-01")
def test_toggle_does_not_click_an_uncheckable_element(tab: Tab) -> None:
    tab.open("<button onclick='document.title = 1'>Press</button>")

    error = tab.refused("toggle", element_id=tab.find("Press"))

    assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
    assert "cannot be checked, switched on or expanded" in error["message"]
    assert tab.js("document.title") != "1"


LATE_LIST = """<div id=box role=combobox tabindex=0 aria-expanded=false aria-controls=list
  aria-label=Zones>Choose</div>
<div id=scroller hidden style="height: 100px; width: 200px; overflow: auto">
  <div id=list role=listbox aria-multiselectable=true style="height: 1200px; position: relative">
</div></div>
<button>Next</button>
<script>
  globalThis.chosen = [];
  const draw = () => {
    const first = Math.min(Math.floor(scroller.scrollTop / 20), 54);
    list.replaceChildren(...Array.from({ length: 6 }, (_, index) => {
      const option = document.createElement('div');
      option.role = 'option';
      option.textContent = `Zone ${first + index + 1}`;
      option.ariaSelected = String(chosen.includes(option.textContent));
      option.style = `position: absolute; height: 20px; top: ${(first + index) * 20}px`;
      option.onclick = () => { chosen.push(option.textContent); option.ariaSelected = 'true'; };
      return option;
    }));
  };
  const toggleList = () => {
    scroller.hidden = !scroller.hidden;
    box.ariaExpanded = String(!scroller.hidden);
    scroller.scrollTop = 600;
    draw();
  };
  box.onclick = toggleList;
  box.onkeydown = (event) => { if (event.key === 'Escape' && !scroller.hidden) toggleList(); };
  scroller.onscroll = () => setTimeout(draw, 60);
</script>"""
"""A virtual list, as in Quasar: only visible options exist, drawn some time after a scroll."""


def test_select_finds_every_option_of_a_virtual_list(tab: Tab) -> None:
    tab.open(LATE_LIST)

    tab.call("select", element_id=tab.find("Zones"), value=["Zone 3", "Zone 12", "Zone 55"])

    assert tab.js("chosen") == ["Zone 3", "Zone 12", "Zone 55"]
    assert tab.js("scroller.hidden") is True


def test_an_option_missing_from_a_virtual_list_is_refused_with_the_count(tab: Tab) -> None:
    tab.open(LATE_LIST)

    error = tab.refused("select", element_id=tab.find("Zones"), value=["Zone 3", "Zone 99"])

    assert "no option 'Zone 99' among the 60" in error["message"]
    assert "It offers" not in error["message"]
    assert error["message"].endswith("Chosen before it: 'Zone 3'.")
    assert tab.js("chosen") == ["Zone 3"]
    assert tab.js("scroller.hidden") is True


def test_select_closes_the_list_if_its_option_cannot_be_clicked(tab: Tab) -> None:
    tab.open(COMBOBOX.replace("list.onclick", "box.onkeydown = toggleList;\n  list.onclick"))

    error = tab.refused("select", element_id=tab.find("Country"), value="Atlantis")

    assert "disabled" in error["message"]
    assert tab.js("list.hidden") is True


COVERED_RADIOS = """<div style="position: relative; height: 30px">
  <label for=x1>one</label><input id=x1 type=radio name=x>
  <label for=x2>two</label><input id=x2 type=radio name=x></div>
<style>input { position: absolute; left: 0; top: 0; width: 1px; height: 1px }
  label { position: absolute; left: 60px } label:first-child { left: 0 }</style>"""


def test_a_radio_button_covered_by_another_label_is_chosen_by_its_own(tab: Tab) -> None:
    for tool in ("click", "toggle", "fill_form"):
        with case(tool):
            tab.open(COVERED_RADIOS)
            radio = tab.find("two")
            filling = {"fields": [{"element_id": radio, "value": True}]}
            tab.call(tool, **(filling if tool == "fill_form" else {"element_id": radio}))
            assert tab.js("x2.checked") is True


TAGGED = """<style>x-select { display: block; width: 200px }</style>
<x-select></x-select><p id=log></p><script>
  customElements.define('x-select', class extends HTMLElement {
    constructor() {
      super();
      const root = this.attachShadow({ mode: 'open' });
      root.innerHTML = `<div id=around style="position: relative; height: 24px; width: 200px">
        <input readonly role=combobox aria-controls=list aria-expanded=false aria-label=City
          style="position: absolute; inset: 0; width: 190px">
        <div id=tags style="position: absolute; inset: 0">none</div></div>
        <div id=list role=listbox hidden><slot></slot></div>`;
      this.innerHTML = '<div role=option>Oslo</div><div role=option>Rome</div>';
      const [input, list] = [root.querySelector('input'), root.getElementById('list')];
      const toggle = () => {
        list.hidden = !list.hidden;
        input.ariaExpanded = String(!list.hidden);
      };
      root.getElementById('around').addEventListener('mousedown', toggle);
      this.addEventListener('click', ({ target }) => {
        if (target.role !== 'option') return;
        log.textContent = target.textContent;
        toggle();
      });
    }
  });
</script>"""
"""A combobox like Shoelace's: tags cover the input, the options are in a slot of the list."""


def test_a_combobox_covered_by_its_own_widget_is_opened(tab: Tab) -> None:
    for by in ("select", "fill_form", "host"):
        with case(by):
            tab.open(TAGGED)
            selector = "x-select" if by == "host" else "[role=combobox]"
            field = tab.call("find", selector=selector)[0]["id"]
            if by == "fill_form":
                tab.call("fill_form", fields=[{"element_id": field, "value": "Rome"}])
            else:
                tab.call("select", element_id=field, value="Rome")
            assert tab.js("log.textContent") == "Rome"


FLIP = "setAttribute('{0}', getAttribute('{0}') === 'false')"
EXPANDING = {
    "button": f"""<button id=x aria-pressed=false onclick="{FLIP.format("aria-pressed")}">""",
    "keys": """<table role=grid><tr role=row id=x tabindex=-1 aria-expanded=false onkeydown="
        setAttribute('aria-expanded', event.key === 'ArrowRight')"><td>Rent</table>""",
    "part": f"""<table><tr id=row><td><button id=x aria-expanded=false onclick="
        {FLIP.format("aria-expanded")}">+</button><td>Rent<td><button aria-haspopup=menu
        aria-expanded=false onclick="throw row.remove()">More</button></table>""",
    "text": f"""<ul role=tree><li role=treeitem id=x aria-expanded=false><b onclick="
        parentNode.{FLIP.replace("get", "parentNode.get").format("aria-expanded")}">Rent</b>
        <ul role=group><li role=treeitem aria-expanded=false>May</ul></ul>""",
}


@pytest.mark.req("C-TOG-01")
@pytest.mark.parametrize("kind", EXPANDING)
def test_toggle_buttons_are_pressed_and_rows_and_items_expand(tab: Tab, kind: str) -> None:
    tab.open(EXPANDING[kind])
    selector = "#row" if kind == "part" else "#x"
    element_id = tab.call("find", selector=selector)[0]["id"]
    for state in ("true", "false"):
        assert "note" not in tab.call("toggle", element_id=element_id)
        assert tab.js("x.ariaPressed ?? x.ariaExpanded") == state
    tab.js("document.addEventListener('click', (e) => e.stopPropagation(), true)")
    tab.js("document.addEventListener('keydown', (e) => e.stopPropagation(), true)")
    assert "is still" in tab.call("toggle", element_id=element_id)["note"]


ITEM = "<li role=treeitem tabindex=0 aria-expanded={}"
REACTING = {
    "later": """<table><tr onkeydown=n.value++><td><button id=x aria-expanded=false onclick="
        n.value++; setTimeout(() => x.ariaExpanded = true, 700)">+</button>
        <td onclick=n.value++>Rent</table>""",
    "again": f"""<ul role=tree>{ITEM.format("false")} onkeydown="n.value++;
        this.outerHTML = `{ITEM.format("true")}>`">Rent</ul>""",
    "link": f"<ul role=tree>{ITEM.format('false')}><a href=/ onclick=n.value++>Rent</a></ul>",
}


@pytest.mark.parametrize("kind", REACTING)
def test_toggle_presses_no_link_and_nothing_else_after_a_reaction(tab: Tab, kind: str) -> None:
    tab.open(f"{REACTING[kind]}<input id=n hidden>")
    [item] = tab.call("find", selector="tr, [role=treeitem]")
    note = tab.call("toggle", element_id=item["id"]).get("note", "")
    assert (tab.js("n.value"), bool(note)) == ("" if kind == "link" else "1", kind != "again")
    assert ("reacted" in note) is (kind == "later")


SHADOWED = """<x-select id=s {host} aria-label=Fruit tabindex=0><x-option>Plum</x-option>
  <x-group><x-option>Fig</x-option></x-group></x-select><script>
  const define = (name, html, start) => customElements.define(name, class extends HTMLElement {{
    constructor() {{
      super();
      this.attachShadow({{ mode: 'open' }}).innerHTML = html;
      start?.(this);
    }}
  }});
  define('x-option', '<div role=option><slot></slot></div>');
  define('x-group', '<b>More</b><slot></slot>');
  define('x-select', '<p>Choose</p><div {list}><slot></slot></div>', (select) => {{
    const list = select.shadowRoot.lastChild;
    const open = (on) => {{ list.hidden = !on; select.ariaExpanded = String(on); }};
    open({opened});
    select.onclick = (event) => {{
      const option = event.composedPath().find((one) => one.localName === 'x-option');
      if (option) select.dataset.value = option.textContent;
      open({opened} || !option);
    }};
  }});
</script>"""
"""A select whose options have their role in shadow roots, and lie inside it while it is open."""


def test_options_in_shadow_roots_of_what_is_slotted_into_a_list_are_chosen(tab: Tab) -> None:
    for host, role, opened in [
        ("role=combobox", "role=listbox", "false"),
        ("role=listbox", "", "true"),
    ]:
        tab.open(SHADOWED.format(host=host, list=role, opened=opened))
        element_id = tab.find("Fruit", role=host.removeprefix("role="))
        tab.call("select", element_id=element_id, value="Fig")
        assert tab.js("s.dataset.value") == "Fig", host
        tab.call("fill_form", fields=[{"element_id": element_id, "value": "Plum"}])
        error = tab.refused("select", element_id=element_id, value="Kiwi")
        assert error["details"]["options"] == ["Plum", "Fig"]
        assert tab.js("s.dataset.value") == "Plum", host  # closing a list chooses nothing


GROUPED = """<select id="s" aria-label="Things">
  <optgroup label="Fruit"><option value="1">Orange</optgroup>
  <optgroup label="Colour"><option value="2">Orange<option value="3">Off / On</optgroup></select>"""


@pytest.mark.req("C-SEL-01")
def test_an_option_of_a_native_select_is_chosen_by_its_value_or_in_its_group(tab: Tab) -> None:
    tab.open(GROUPED)
    for value, chosen in [("Colour / Orange", "2"), ("Off / On", "3"), ("1", "1")]:
        with case(value):
            tab.call("select", element_id=tab.find("Things"), value=value)
            assert tab.js("s.value") == chosen


def test_an_option_of_a_datalist_is_chosen_and_other_text_is_left_to_type(tab: Tab) -> None:
    tab.open("""<input aria-label=City list=l oninput="log.append('i')" onchange="log.append('c')">
        <datalist id=l><option value=Oslo><option value=RM>Rome
        <option disabled value=Bern></datalist>
        <input aria-label=Old list=l readonly><input aria-label=Tag role=combobox><p id=log></p>""")
    for wanted, value in [("Oslo", "Oslo"), ("rome", "RM")]:
        tab.call("select", element_id=tab.find("City"), value=wanted)
        assert tab.js("document.querySelector('input').value") == value
    assert tab.js("log.textContent") == "icic"

    for label, wanted, words in [
        ("City", "Paris", "It takes any text: enter that with type"),
        ("City", "Bern", "is disabled"),
        ("Old", "Oslo", "read-only"),
        ("Tag", "Paris", "It takes any text: enter that with type"),
    ]:
        error = tab.refused("select", element_id=tab.find(label), value=wanted)
        assert words in f"{error['message']} {error.get('suggestion')}", label


def test_a_hidden_option_is_not_chosen(tab: Tab) -> None:
    tab.open("""<select id=s aria-label=Room><option>Any<option hidden>Hall
        <option style="display: none">Attic<option>Cellar</select>""")
    for value in ("Hall", "Attic"):
        error = tab.refused("select", element_id=tab.find("Room"), value=value)
        assert error["details"]["options"] == ["Any", "Cellar"]
    assert tab.js("s.value") == "Any"


def test_the_only_option_with_the_words_given_is_chosen_and_named(tab: Tab) -> None:
    codes = "<select id=s aria-label=Code><option>Norway (+47)<option>Peru (+51)</select>"
    list_box = COMBOBOX.replace("Norway<", "Norway (+47)<")
    for markup, label, chosen in [
        (codes, "Code", "s.value"),
        (list_box, "Country", "box.textContent"),
    ]:
        with case(label):
            tab.open(markup)
            answer = tab.call("select", element_id=tab.find(label), value="norway")
            assert tab.js(chosen) == "Norway (+47)"
            assert answer["note"] == "Took 'Norway (+47)', the only option with 'norway'."


@pytest.mark.req("C-SEL-01")
def test_a_part_of_a_word_or_of_two_options_is_no_option(tab: Tab) -> None:
    tab.open("<select id=s aria-label=Size><option>Female<option>Size 1<option>Size 2</select>")

    for value in ("male", "size", " "):
        with case(value):
            error = tab.refused("select", element_id=tab.find("Size"), value=value)
            assert "has no option" in error["message"]
