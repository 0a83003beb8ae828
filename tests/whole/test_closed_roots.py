"""Closed shadow roots: agents see their content as people do."""

import pytest

from tests.whole.answers import changes, headings, mentions
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

CLOSED = """<button>Before</button>HOST<button>After</button><script>
  const inside = `<h2>Inside</h2><label>Field <input></label>
    <button onclick="this.textContent = 'Done'">Do</button>`;
  globalThis.roots = ['#host', 'x-host'].flatMap((css) => [...document.querySelectorAll(css)])
    .map((host) => Object.assign(host.attachShadow({ mode: 'closed' }), { innerHTML: inside }));
</script>"""
HOSTS = {
    "plain": '<div id="host"></div>',
    "custom": "<script>customElements.define('x-host', class extends HTMLElement {})</script>"
    "<x-host>Light</x-host>",
}


@pytest.fixture(params=HOSTS)
def closed(request: pytest.FixtureRequest, tab: Tab) -> Tab:
    """A page with a closed shadow root between two buttons."""
    tab.open(CLOSED.replace("HOST", HOSTS[request.param]))
    return tab


def labels(tab: Tab) -> list[str]:
    return [each["label"] for each in tab.call("observe")["interactive"]]


def test_closed_roots_are_listed_in_order_clicked_and_typed_into(closed: Tab) -> None:
    answer = closed.call("observe", detail="full")
    [change] = changes(closed.click("Do"), property="label")
    closed.type("Field", "seen")

    assert headings(answer) == ["Inside"]
    assert mentions(answer["structure"]["full_content"], "Inside")
    assert not mentions(answer, "Light")
    assert (change["from"], change["to"]) == ("Do", "Done")
    assert labels(closed) == ["Before", "Field", "Done", "After"]
    assert closed.element("Field")["value"] == "seen"
    assert closed.js("roots[0].querySelector('input').value") == "seen"


def test_nested_closed_roots_in_a_frame_are_read(tab: Tab) -> None:
    inner = tab.web.write("""<div id="a"></div><script>{
      const outer = a.attachShadow({ mode: 'closed' });
      outer.innerHTML = '<section></section>';
      outer.firstChild.attachShadow({ mode: 'closed' }).innerHTML = '<button>Deep</button>';
    }</script>""")
    tab.open(f'<iframe src="{tab.web.url(inner, host="other.localhost")}"></iframe>')

    assert labels(tab) == ["Deep"]
    assert "delta" in tab.click("Deep")
