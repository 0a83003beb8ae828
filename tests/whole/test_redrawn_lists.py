"""An id in a redrawn list refers to its own record or fails."""

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

BUTTON = "<button aria-label=Remove onclick=\"document.title = '${name}'\">x</button>"
LAYOUTS = {
    "chips": f"<span>${{name}} {BUTTON}</span>",
    "chips apart": f"<span style='display: inline-block'>${{name}} {BUTTON}</span> ",
    "chips after": f"<span>{BUTTON} ${{name}}</span>",
    "items": f"<li>${{name}} {BUTTON}</li>",
    "cards": f"<div><h3>${{name}}</h3><p>5 &euro;</p>{BUTTON}</div>",
    "cards that begin with it": f"<div>{BUTTON}<h3>${{name}}</h3><p>5 &euro;</p></div>",
    "rows": f"<p><b>${{name}}</b><i>5 &euro;</i>{BUTTON}<button>More</button></p>",
}
NAMES = ("Ola", "Lars", "Mia")
CHANGES = [
    ("Ola", "Lars", "Mia", "New"),
    ("New", "Ola", "Lars", "Mia"),
    ("Ola", "New", "Lars", "Mia"),
    ("Ola", "Lars"),
    ("Lars", "Mia"),
    ("Ola", "Mia"),
    ("Mia", "Lars", "Ola"),
    ("Lars", "Mia", "Ola"),
    ("Ola", "New", "Mia"),
    ("Ola", "Lars", "New"),
    ("New", "Newer"),
]


@pytest.mark.parametrize(
    "layout",
    [
        layout if layout == "items" else pytest.param(layout, marks=pytest.mark.extended)
        for layout in LAYOUTS
    ],
)
def test_an_id_in_a_redrawn_list_acts_only_on_its_own_record(tab: Tab, layout: str) -> None:
    tab.open(f"""<div id=all></div><input aria-label=To><p>Send</p><script>
      const row = (name) => `{LAYOUTS[layout]}`;
      const show = (...names) => {{ all.innerHTML = names.map(row).join('') }};</script>""")
    for now in CHANGES:
        tab.js(f"show(...{list(NAMES)})")
        ids = [one["id"] for one in tab.call("find", text="Remove")]
        for name, element_id in zip(NAMES, ids, strict=True):
            tab.js(f"show(...{list(now)}); document.title = 'none'")
            reply = tab.reply("click", element_id=element_id)
            hit = tab.js("document.title")
            assert hit in {name, "none"}, (layout, now, name)
            assert bool(reply.result.get("isError")) == (hit == "none")
            if name in now:
                assert hit == name, (layout, now, name)
            tab.js(f"show(...{list(NAMES)})")
            tab.call("observe", detail="minimal")
