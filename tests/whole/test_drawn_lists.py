"""Lists with separate options for screen readers, and lists that draw a part at a time."""

import pytest

from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

DRAWN = """<label for=box>Extras</label><input id=box role=combobox aria-expanded=false readonly
  aria-controls=reader aria-owns=reader style="width: 9px">
<div id=popup hidden><div id=reader role=listbox style="height: 0; width: 0; overflow: hidden">
  </div><section><div id=rows></div></section></div><script>
  const all = ['Breakfast', 'Parking', 'Sea view', 'Late'], chosen = new Set();
  globalThis.clicks = [];
  const draw = () => {
    reader.innerHTML = all.slice(0, 2)
      .map((one) => `<div role=option aria-label="${one}">${one.toLowerCase()}</div>`).join('');
    rows.innerHTML = all.map((one) => `<p aria-selected=${chosen.has(one)}>${one}</p>`).join('');
  };
  box.onmousedown = () => {
    popup.hidden = !popup.hidden; box.ariaExpanded = !popup.hidden;
    reader.innerHTML = '<div role=option>breakfast</div>'; rows.innerHTML = '';
    requestAnimationFrame(() => requestAnimationFrame(draw));
  };
  rows.onclick = ({ target }) => {
    clicks.push(target.textContent);
    if (!chosen.delete(target.textContent)) chosen.add(target.textContent);
    draw();
  };
  const close = () => { popup.hidden = true; box.ariaExpanded = false };
  box.onkeydown = ({ key }) => { if (key === 'Escape') close() };
  </script>"""
"""A list like Ant Design's: ARIA options exist only around the active option, with other names."""

CHOSEN = "[...chosen]"


@pytest.mark.req("C-SEL-01")
def test_select_clicks_the_drawn_option_beside_a_list_without_size(tab: Tab) -> None:
    tab.open(DRAWN)
    field = tab.find("Extras")

    tab.call("select", element_id=field, value="Sea view")
    error = tab.refused("select", element_id=field, value="Spa")

    assert tab.js(CHOSEN) == ["Sea view"]
    assert "'Breakfast', 'Parking', 'Sea view', 'Late'" in error["message"]


def test_select_chooses_exactly_the_listed_values_of_drawn_options(tab: Tab) -> None:
    tab.open(DRAWN)
    field = tab.find("Extras")
    tab.call("select", element_id=field, value=["Parking", "Sea view"])
    tab.js("clicks.length = 0")

    tab.call("select", element_id=field, value=["Parking", "Breakfast"])

    assert tab.js(CHOSEN) == ["Parking", "Breakfast"]
    assert tab.js("clicks") == ["Sea view", "Breakfast"]
    assert tab.js("popup.hidden") is True


def test_select_leaves_an_already_open_list_open(tab: Tab) -> None:
    tab.open(DRAWN)
    field = tab.find("Extras")
    tab.call("click", element_id=field)

    tab.call("select", element_id=field, value=["Late"])

    assert tab.js("[...chosen, popup.hidden]") == ["Late", False]


PART = """<div role=combobox tabindex=0 aria-expanded=false style="padding: 9px" id=field>
  <label for=box>Country</label>
  <input id=box role=combobox readonly style="pointer-events: none"></div>
<p style="pointer-events: none"><button onclick="clicks.push(1)">Go</button></p><script>
  globalThis.clicks = []; field.onclick = () => { clicks.push('field') };</script>"""


def test_a_click_on_an_element_without_pointer_events_hits_what_receives_it(tab: Tab) -> None:
    tab.open(PART)

    tab.call("click", element_id=tab.call("find", selector="#box")[0]["id"])
    error = tab.refused("click", element_id=tab.find("Go"))

    assert tab.js("clicks") == ["field"]
    assert "pointer-events: none" in error["message"]
    assert "Hover over it" in error["suggestion"]

    tab.open("""<p id=field>Extras <input id=box style="pointer-events: none"></p>
      <script>field.onclick = () => { document.title = 'met' };</script>""")

    tab.call("click", element_id=tab.call("find", selector="#box")[0]["id"])

    assert tab.js("document.title") == "met"


def test_select_does_not_type_into_a_field_that_shows_the_choice(tab: Tab) -> None:
    tab.open(
        PART.replace(" readonly", " aria-controls=list")
        + "<div id=list role=listbox hidden><div role=option>Peru</div></div>"
        "<script>field.onmousedown = () => { list.hidden = false; box.focus() };"
        "onkeydown = ({ key }) => { clicks.push(key) };</script>"
    )

    tab.refused("select", element_id=tab.call("find", selector="#box")[0]["id"], value="Chile")

    assert tab.js("clicks.filter((one) => one.length === 1)") == []


def test_a_radio_button_without_pointer_events_is_checked_by_its_label(tab: Tab) -> None:
    # Bootstrap makes buttons of radio buttons this way
    tab.open("""<input type=radio name=o id=day checked><label for=day>Day</label>
      <input type=radio name=o id=week style="position: absolute; pointer-events: none">
      <label for=week>Week</label>""")

    tab.call("fill_form", fields=[{"element_id": tab.find("Week"), "value": True}])

    assert tab.js("week.checked") is True


TAGS = """<label>Tags <input id=box role=combobox aria-expanded=false aria-controls=list></label>
<div id=list role=listbox hidden></div><script>
  const chosen = new Set(['red', 'blue']);
  const show = (open) => {
    list.hidden = !open; box.ariaExpanded = open;
    list.innerHTML = open ? ['red', 'green', 'blue'].map((one) =>
      `<div role=option aria-selected=${chosen.has(one)}>${one}</div>`).join('') : '';
  };
  box.onmousedown = () => show(true);
  list.onclick = ({ target: { textContent: one } }) => {
    if (!chosen.delete(one)) chosen.add(one);
    show(false);
  };</script>"""
"""A list like Material UI's: each click closes it and creates it again."""


def test_select_chooses_exactly_the_values_of_a_list_that_closes_per_click(tab: Tab) -> None:
    tab.open(TAGS)

    tab.call("select", element_id=tab.find("Tags"), value=["green", "blue"])

    assert sorted(tab.js(CHOSEN)) == ["blue", "green"]


def test_a_list_that_opens_over_its_button_causes_no_note(tab: Tab) -> None:
    tab.open("""<div id=box role=combobox tabindex=0 aria-expanded=false aria-label=Size>-</div>
      <div id=list role=listbox hidden style="position: fixed; inset: 0"><div role=option>Big</div>
      </div><script>
      box.onmousedown = () => { list.hidden = false; box.ariaExpanded = true };
      list.onclick = () => { list.hidden = true; box.textContent = 'Big' };</script>""")

    answer = tab.call("select", element_id=tab.find("Size"), value="Big")

    assert tab.js("box.textContent") == "Big"
    assert "note" not in answer


SEARCHED = """<span role=combobox tabindex=0 aria-expanded=false aria-owns=list id=box>
  <span role=textbox aria-readonly=true tabindex=0 id=part>Pick</span></span>
<div id=popup hidden><input id=search type=search><ul role=listbox id=list></ul></div><script>
  box.onmousedown = (event) => {
    event.preventDefault(); popup.hidden = false; box.ariaExpanded = true; search.focus();
  };
  search.oninput = () => setTimeout(() => {
    list.innerHTML = ['Oslo', 'Osaka'].filter((one) => one.startsWith(search.value))
      .map((one) => `<li role=option>${one}</li>`).join('');
  }, 100);
  const close = () => { popup.hidden = true; box.ariaExpanded = false };
  search.onkeydown = ({ key }) => { if (key === 'Escape') close() };
  list.onclick = ({ target }) => { document.title = target.textContent; popup.hidden = true };
  </script>"""
"""A list like Select2's: the popup has a search field."""


def test_select_searches_in_the_search_field_of_a_list(tab: Tab) -> None:
    for part in ("box", "part"):
        with case(part):
            tab.open(SEARCHED)
            [field] = tab.call("find", selector=f"#{part}")
            error = tab.refused("select", element_id=field["id"], value="Rome")
            assert "has no option 'Rome'" in error["message"]
            assert tab.js("popup.hidden") is True
            tab.call("select", element_id=field["id"], value="Osaka")
            assert tab.js("document.title") == "Osaka"


def test_select_reports_that_a_list_does_not_mark_chosen_options(tab: Tab) -> None:
    tab.open(DRAWN.replace(" aria-selected=${chosen.has(one)}", ""))

    answer = tab.call("select", element_id=tab.find("Extras"), value=["Parking"])

    assert "others may still be chosen" in answer["note"]


SCROLLED = """<label for=box>Item</label><input id=box role=combobox aria-expanded=true readonly
  aria-controls=reader><div><div id=reader role=listbox style="height:0;width:0;overflow:hidden">
  <div role=option>Item 0</div></div><div id=view style="height:100px;overflow:auto">
  <div style="height:4000px;position:relative"><div id=rows style="position:absolute"></div></div>
  </div></div><script>
  const draw = () => {
    const first = Math.floor(view.scrollTop / 20);
    rows.style.top = `${20 * first}px`;
    rows.innerHTML = [0, 1, 2, 3, 4, 5]
      .map((n) => `<p style="margin:0;height:20px">Item ${first + n}</p>`).join('');
  };
  view.onscroll = draw;
  rows.onclick = ({ target }) => { box.value = target.textContent; };
  draw();
  </script>"""


def test_drawn_rows_are_known_after_the_row_of_the_active_option_is_scrolled_away(tab: Tab) -> None:
    tab.open(SCROLLED)

    tab.call("select", element_id=tab.find("Item"), value="Item 90")

    assert tab.js("box.value") == "Item 90"


VIRTUAL = """<div id=box role=combobox tabindex=0 aria-expanded=true aria-controls=list
  aria-label=Zones>Choose</div>
<div id=scroller style="height: 100px; width: 200px; overflow: auto"><div id=list role=listbox
  aria-multiselectable=true style="height: 4000px; position: relative"></div></div><script>
  let scrolls = 0, numbers = Array.from({ length: 200 }, (_, index) => index);
  const chosen = new Set(), ahead = 10, labelAhead = LABEL;
  const draw = () => {
    const top = scroller.scrollTop, first = Math.floor(top / 20), last = Math.ceil(top / 20) + 5;
    list.innerHTML = numbers.slice(first, last + ahead).map((number, index) => {
      const text = first + index < last ? `Zone ${number}` : labelAhead(number);
      const top = 20 * (first + index);
      return `<div role=option style="position: absolute; height: 20px; top: ${top}px"
        aria-selected=${chosen.has(`Zone ${number}`)}>${text}</div>`;
    }).join('');
  };
  scroller.onscroll = () => { scrolls += 1; draw(); };
  list.onclick = ({ target }) => { chosen.add(target.textContent); draw(); };
  draw();
</script>"""


def test_options_below_the_visible_part_are_scrolled_past_unless_placeholders(tab: Tab) -> None:
    for label in ("(number) => `Zone ${number}`", "() => ''", "() => 'Loading'"):
        with case(label):
            tab.open(VIRTUAL.replace("LABEL", label))
            tab.call("select", element_id=tab.find("Zones"), value="Zone 190")
            assert tab.js("[...chosen]") == ["Zone 190"]
            assert "Zone" not in label or tab.js("scrolls") < 25


ZONES = """<div id="list" role="listbox" aria-multiselectable="true" aria-label="Zones"
    style="height:100px;overflow:auto"><div id="room" style="position:relative"></div></div><script>
  globalThis.chosen = new Set([2, 150]);
  const draw = () => {
    const first = Math.floor(list.scrollTop / 20);
    room.style.height = JITTER;
    const shown = Array.from({ length: 6 }, (_, n) => first + n).filter((n) => n < 200);
    room.replaceChildren(...shown.map((n) => {
      const option = document.createElement('div');
      option.role = 'option';
      option.textContent = `Zone ${n}`;
      option.ariaSelected = String(chosen.has(n));
      option.style = `position:absolute;top:${20 * n}px;height:20px`;
      option.onclick = () => { chosen[chosen.has(n) ? 'delete' : 'add'](n); draw(); };
      return option;
    }));
  };
  list.onscroll = draw;
  draw();
</script>"""


def test_options_that_are_not_drawn_are_deselected_too(tab: Tab) -> None:
    tab.open(ZONES.replace("JITTER", "'4000px'"))
    [box] = tab.call("find", selector="#list")

    tab.call("select", element_id=box["id"], value=["Zone 7", "Zone 120"])

    assert tab.js("[...chosen].sort()") == [120, 7]


def test_a_list_that_jumps_back_at_its_end_is_searched_to_its_end(tab: Tab) -> None:
    tab.open(ZONES.replace("JITTER", "list.scrollTop > 3860 ? '3900px' : '4000px'"))
    [box] = tab.call("find", selector="#list")

    error = tab.refused("select", element_id=box["id"], value="Zone 900")

    assert "among the 200 that were seen" in error["message"]
    assert "scrolled through to its end" in error["message"]
