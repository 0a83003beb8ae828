"""type and fill_form set sliders, dates in parts, codes and ratings, and read the value back."""

from typing import Any

import pytest

from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

SLIDER = """<div id="track" style="position:relative;width:{width}px;height:{height}px;margin:20px">
  <div id="s" role="slider" tabindex="0" aria-label="Volume" aria-valuemin="0" aria-valuemax="200"
    aria-valuenow="30" aria-orientation="{orientation}"
    style="position:absolute;width:16px;height:16px"></div></div>
<script>
  globalThis.keys = [];
  const now = () => Number(s.getAttribute('aria-valuenow'));
  const set = (value) => s.setAttribute('aria-valuenow', Math.max(0, Math.min(200, value)));
  const steps = {steps};
  s.onkeydown = (e) => {{
    keys.push(e.key);
    const step = steps[e.key] ?? null;
    if (step !== null) set(step === 0 || step === 200 ? step : now() + step);
  }};
</script>"""

DRAGGED = """<div id="track" style="position:relative;width:300px;height:20px;margin:20px">
  <div id="s" role="slider" tabindex="0" aria-label="Price" aria-valuemin="0" aria-valuemax="100"
    aria-valuenow="20" style="position:absolute;width:20px;height:20px;left:60px"></div></div>
<script>
  const show = (x) => {
    const value = Math.max(0, Math.min(100, Math.round((x - track.getBoundingClientRect().x) / 3)));
    s.setAttribute('aria-valuenow', value);
    s.style.left = `${3 * value - 10}px`;
  };
  s.onpointerdown = (e) => s.setPointerCapture(e.pointerId);
  s.onpointermove = (e) => { if (e.buttons) show(e.clientX); };
</script>"""

SPLITTER = """<div style="display:flex;width:400px"><div style="flex:1">A</div>
  <div id="s" role="separator" tabindex="0" aria-label="Panes" aria-valuemin="0"
  aria-valuemax="100" aria-valuenow="50" style="width:6px;height:80px"
  onkeydown="if (event.key === 'ArrowLeft') this.ariaValueNow--;
             if (event.key === 'ArrowRight') this.ariaValueNow++;"></div>
  <div style="flex:1">B</div></div>"""

ARROWS = "{ArrowRight: 1, ArrowLeft: -1, PageUp: 10, PageDown: -10, Home: 0, End: 200}"


def slider(steps: str, orientation: str = "horizontal") -> str:
    width, height = (300, 20) if orientation == "horizontal" else (20, 300)
    return SLIDER.format(steps=steps, orientation=orientation, width=width, height=height)


def test_a_slider_is_set_by_one_key_per_step(tab: Tab) -> None:
    for value in ("31", "95", "1", "200"):
        with case(value):
            tab.open(slider(ARROWS))
            answer = tab.type("Volume", value)
            assert tab.js("s.ariaValueNow") == value
            assert tab.js("keys.length") == abs(int(value) - 30)
            assert "note" not in answer


LATE = """<script>let value = 30; const frame = requestAnimationFrame;
  s.onkeydown = ({{ key }}) => {{ value += key === 'ArrowRight' ? 1 : -1; {later} }};
  const draw = () => set(value);</script>"""


@pytest.mark.parametrize("later", ["setTimeout(draw, 40)", "frame(() => frame(draw))"])
def test_a_slider_that_is_drawn_after_its_keys_stops_at_the_value(tab: Tab, later: str) -> None:
    tab.open(slider(ARROWS) + LATE.format(later=later))

    answer = tab.type("Volume", "95")

    assert tab.js("value") == 95
    assert "note" not in answer


def test_the_effect_of_the_arrow_keys_is_learned(tab: Tab) -> None:
    for steps, orientation in [
        ("{ArrowRight: -1, ArrowLeft: 1}", "horizontal"),
        ("{ArrowUp: 1, ArrowDown: -1}", "vertical"),
        ("{ArrowRight: 5, ArrowLeft: -5}", "horizontal"),
    ]:
        with case(steps, orientation):
            tab.open(slider(steps, orientation))
            tab.type("Volume", "70")
            assert tab.js("s.ariaValueNow") == "70"


def test_the_nearest_value_is_set_and_reported(tab: Tab) -> None:
    for steps, text, value in [
        ("{ArrowRight: 25, ArrowLeft: -25}", "107", "105"),
        (ARROWS, "900", "200"),
    ]:
        with case(steps):
            tab.open(slider(steps))
            answer = tab.type("Volume", text)
            assert tab.js("s.ariaValueNow") == value
            assert f"is {value}, not {text}" in answer["note"]


def test_a_slider_without_arrow_keys_is_refused_with_its_value(tab: Tab) -> None:
    tab.open(DRAGGED)
    price = tab.find("Price")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("type", {"element_id": price, "text": "73"}),
        ("fill_form", {"fields": [{"element_id": price, "value": 73}]}),
    ]

    for tool, arguments in calls:
        with case(tool):
            error = tab.refused(tool, **arguments)
            assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
            assert f"{price} is still 20: arrow keys do not change it." in error["message"]
            assert "drag" in error["suggestion"]
            assert tab.js("s.ariaValueNow") == "20"


def test_a_slider_takes_a_number_only(tab: Tab) -> None:
    tab.open(slider(ARROWS))

    error = tab.refused("type", element_id=tab.find("Volume"), text="loud")

    assert error["code"] == "INVALID_ARGUMENT"
    assert "a number from 0 to 200" in error["suggestion"]
    assert tab.js("keys") == []


def test_fill_form_moves_a_splitter(tab: Tab) -> None:
    tab.open(SPLITTER)
    fields = [{"element_id": tab.find("Panes"), "value": 42}]

    tab.call("fill_form", fields=fields)

    assert tab.element("Panes")["value"] == "42"


SEGMENTS = """<div id="group" role="group" aria-label="Start">{parts}</div><script>
  const show = (part, value) => {{
    const {{ ariaValueMax: max }} = part;
    part.ariaValueNow = value;
    part.textContent = max === '1' ? ['AM', 'PM'][value] : String(value).padStart(max.length, '0');
  }};
  for (const part of group.querySelectorAll('[role=spinbutton]')) {{
    let typed = '';
    part.onfocus = () => {{ typed = ''; }};
    part.onbeforeinput = (e) => {{
      e.preventDefault();
      if (part.ariaValueMax === '1') show(part, e.data === 'P' ? 1 : 0);
      if (!/\\d/.test(e.data ?? '') || part.ariaValueMax === '1') return;
      typed += e.data;
      show(part, Number(typed));
      if (typed.length === part.ariaValueMax.length) part.nextElementSibling?.focus();
    }};
  }}
</script>"""


def segments(*limits: tuple[int, int]) -> str:
    parts = "/".join(
        f'<span role="spinbutton" contenteditable tabindex="0" aria-label="Part {n}" '
        f'aria-valuemin="{low}" aria-valuemax="{high}">-</span>'
        for n, (low, high) in enumerate(limits)
    )
    return SEGMENTS.format(parts=parts)


DATE = [(1, 12), (1, 31), (1, 9999)]


def test_an_iso_date_fills_the_parts_of_a_date(tab: Tab) -> None:
    tab.open(segments(*DATE))

    answer = tab.type("Part 0", "2026-09-17")

    assert tab.js("group.textContent") == "09/17/2026"
    assert "note" not in answer


def test_an_iso_time_fills_hours_of_a_half_day(tab: Tab) -> None:
    tab.open(segments((1, 12), (0, 59), (0, 1)))

    tab.call("fill_form", fields=[{"element_id": tab.find("Part 1"), "value": "15:07"}])

    assert tab.js("group.textContent") == "03/07/PM"


def test_a_part_that_the_field_lacks_is_refused(tab: Tab) -> None:
    tab.open(segments(*DATE))

    error = tab.refused("type", element_id=tab.find("Part 0"), text="2026-09-17T10:00")

    assert "no part for the hour" in error["message"]
    assert tab.js("group.textContent") == "-/-/-"


def test_a_part_that_the_page_does_not_keep_is_reported(tab: Tab) -> None:
    tab.open(segments(*DATE))
    tab.js("group.querySelector('[role=spinbutton]').onbeforeinput = (e) => e.preventDefault()")

    answer = tab.type("Part 0", "2026-09-17")

    assert "The month of" in answer["note"]
    assert "is not 9: the page did not keep it." in answer["note"]


def test_the_number_of_one_part_is_compared(tab: Tab) -> None:
    tab.open(segments(*DATE))
    tab.js("""group.oninput = group.onkeyup = () => {
      const [, day] = group.querySelectorAll('[role=spinbutton]');
      if (day.ariaValueNow > 31) show(day, 31);
    }""")

    assert "note" not in tab.type("Part 1", "17")
    assert "is 31, not 35" in tab.type("Part 1", "35")["note"]


def test_an_iso_date_is_typed_in_the_format_that_the_field_shows(tab: Tab) -> None:
    tab.open("""<input aria-label=US placeholder="MM/DD/YYYY"><label>German (dd.mm.yyyy) <input>
      </label><input aria-label=Short aria-describedby=h><p id=h>Use D/M/YY</p>
      <input aria-label=Any placeholder="Pick a day">""")

    notes = [
        tab.type(label, "2026-09-17").get("note") for label in ("US", "German", "Short", "Any")
    ]

    assert tab.js("[...document.querySelectorAll('input')].map((input) => input.value)") == [
        "09/17/2026", "17.09.2026", "17/9/26", "2026-09-17",
    ]  # fmt: skip
    assert notes == [None] * 4


PICKERS = """<form onsubmit="log.append('sent'); return false"><p id=log></p>
  <input aria-label=Dialog role=combobox aria-haspopup=dialog aria-expanded=false
    oninput="this.ariaExpanded = 'true'" onkeydown="event.key === 'Enter' && take(this)">
  <input aria-label=Blur onchange="take(this) || (this.value = this.dataset.value ?? '')">
  <div lang=de><input aria-label=Pattern pattern="[0-9]+[.][0-9]+[.]2026"></div>
  <input aria-label=Never role=combobox aria-haspopup=dialog aria-expanded=true></form><script>
  const take = (input) => {
    const date = /^(\\d+)\\/(\\d+)\\/2026$/.exec(input.value);
    input.ariaExpanded = 'false';
    input.ariaInvalid = String(!(date?.[1] <= 12));
    if (input.ariaInvalid === 'false') input.dataset.value = input.value;
    return input.ariaInvalid === 'false';
  };
</script>"""


def test_a_date_that_a_field_refuses_is_typed_in_the_format_of_its_language(tab: Tab) -> None:
    tab.open(PICKERS)
    fields = {"Dialog": "9/17/2026", "Blur": "9/17/2026", "Pattern": "17.9.2026"}
    filled = [{"element_id": tab.find(label), "value": "2026-09-17"} for label in fields]
    assert "note" not in tab.call("fill_form", fields=filled)
    for label, shown in fields.items():
        assert tab.js(f"document.querySelector('[aria-label={label}]').value") == shown
    assert "note" not in tab.type("Dialog", "2026-04-30")
    assert tab.js("document.querySelector('input').dataset.value") == "4/30/2026"

    notes = [
        tab.call("fill_form", fields=[{"element_id": tab.find(label), "value": value}])["note"]
        for label, value in [
            ("Dialog", "2027-09-17"),
            ("Blur", "2027-09-17"),
            ("Never", "2026-09-17"),
        ]
    ]
    assert 'does not take the date 2027-09-17: it shows "9/17/2027", which is invalid' in notes[0]
    assert 'does not take the date 2027-09-17: it shows "9/17/2026".' in notes[1]
    assert "and its calendar is open" in notes[2]
    assert tab.js("log.textContent") == ""


def test_the_enter_that_a_calendar_takes_leaves_the_keys_of_other_fields_alone(tab: Tab) -> None:
    tab.open("""<input aria-label=When role=combobox aria-haspopup=dialog aria-expanded=true
      onkeydown="if (event.key === 'Enter') ariaExpanded = String(!!event.preventDefault())">
      <input aria-label=Name id=other>""")
    assert "note" not in tab.type("When", "2026-09-17")
    tab.type("Name", "abc")
    assert tab.js("other.value") == "abc"


@pytest.mark.parametrize("how", ["aria-invalid=true", "type=password oninput=ariaInvalid='true'"])
def test_a_date_in_a_password_field_or_one_marked_before_stays_as_typed(tab: Tab, how: str) -> None:
    tab.open(f"<input aria-label=Born id=born {how}>")
    assert "note" not in tab.type("Born", "1990-07-24")
    assert tab.js("born.value") == "1990-07-24"


def test_a_date_that_a_field_refuses_at_enter_is_reported_with_another_format(tab: Tab) -> None:
    for refuses in ("ariaInvalid = 'true'", "setCustomValidity('No date')"):
        tab.open(f"""<input aria-label=Day onkeydown="if (event.key === 'Enter') {refuses}">""")
        note = tab.type("Day", "1990-07-24", press_enter=True)["note"]
        assert 'shows "1990-07-24", which is invalid there. Try 7/24/1990.' in note


BOXES = """<div>{boxes}</div><script>
  const all = [...document.querySelectorAll('input')];
  if ({moves}) for (const box of all) box.oninput = () => all[all.indexOf(box) + 1]?.focus();
</script>""".replace(
    "{boxes}",
    "".join(
        f'<input maxlength="1" aria-label="Digit {n}" style="width:30px;height:30px">'
        for n in range(6)
    ),
)


def test_a_code_is_typed_over_its_boxes(tab: Tab) -> None:
    shown = "all.map((box) => box.value).join('')"
    for moves in ("true", "false"):
        with case(moves):
            tab.open(BOXES.replace("{moves}", moves))
            answer = tab.type("Digit 0", "123456")
            assert tab.js(shown) == "123456"
            assert "note" not in answer
            tab.call("fill_form", fields=[{"element_id": tab.find("Digit 0"), "value": "654321"}])
            assert tab.js(shown) == "654321"


def test_a_value_that_the_page_changes_is_reported(tab: Tab) -> None:
    tab.open("<input aria-label=Amount oninput='if (value > 100) value = 100'>")
    amount = tab.find("Amount")
    note = f'{amount} shows "100", not "250".'

    filled = tab.call("fill_form", fields=[{"element_id": amount, "value": "250"}])

    assert note in filled["note"]
    assert note in tab.call("type", element_id=amount, text="250")["note"]


RADIOS = """<input type=radio name=size aria-label=S checked>
  <input type=radio name=size aria-label=L"""
REFUSED_CHOICES = [
    """<select onchange="value = 1"><option value=1>S<option value=2>L</select>""",
    f'{RADIOS} onclick="event.preventDefault()">',
    f"{RADIOS} onchange=\"setTimeout(() => document.querySelector('input').click(), 60)\">",
    """<div role=listbox><div role=option aria-selected=true>S</div>
      <div role=option aria-selected=false>L</div></div>""",
]


@pytest.mark.parametrize("markup", REFUSED_CHOICES)
def test_a_choice_that_the_page_takes_back_is_reported(tab: Tab, markup: str) -> None:
    for tool in ("select", "fill_form"):
        tab.open(markup)
        size = tab.find("", selector="select, input, [role=listbox]")
        value = {"element_id": size, "value": "L"}
        answer = tab.call(tool, **value) if tool == "select" else tab.call(tool, fields=[value])
        assert f'{size} is set to "S", not "L"' in answer["note"]


def test_values_are_set_with_the_events_of_browsers(tab: Tab) -> None:
    kinds = {"color": "#ff0000", "date": "2026-05-01", "time": "10:15", "month": "2026-05"}
    kinds |= {"week": "2026-W10", "range": "60"}
    tab.open(
        "".join(f"<input type={kind} aria-label={kind}>" for kind in kinds)
        + "<select aria-label=list><option>a<option>b</select><script>log = [];"
        "oninput = onchange = (e) => log.push(`${e.type} ${e.composed}`)</script>"
    )

    for kind, value in kinds.items():
        tab.type(kind, value)
        assert set(tab.js("log.splice(0)")) == {"input true", "change false"}, kind
    tab.call("select", element_id=tab.find("list"), value="b")
    assert tab.js("log.splice(0)") == ["input true", "change false"]
