"""drag: off-screen elements, frames, sortable lists; also large selects and upload roots."""

import pytest

from tests.whole.answers import new_texts
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

BOARD = """<style>body {{ margin: 0 }}</style>
<div id=card draggable=true role=button tabindex=0>Card</div>
<div style="height: {gap}px"></div>
<section aria-label=Bin style="height: 120px"></section><div style="height: {gap}px"></div><script>
  const bin = document.querySelector('section');
  card.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'the card');
  bin.ondragover = (event) => event.preventDefault();
  bin.ondrop = (event) => {{
    event.preventDefault();
    bin.append(event.dataTransfer.getData('text'));
  }};
</script>"""
LIST = """<style>* { margin: 0 } li { height: 40px }</style><ul id=list></ul><script>
  const rows = ['One', 'Two', 'Three', 'Four'];
  const show = () => { list.innerHTML = rows.map((row) =>
    `<li role=option tabindex=0 aria-label=${row}>${row}</li>`).join('') };
  let held = null;
  show();
  addEventListener('mousedown', (event) => { held = event.target.textContent });
  addEventListener('mouseup', () => { held = null });
  addEventListener('mousemove', ({ clientY }) => {
    if (held === null) return;
    const from = rows.indexOf(held);
    rows.splice(from, 1);
    const middle = (index) => (index + (index >= from)) * 40 + 20;
    rows.splice(rows.filter((_, index) => clientY > middle(index)).length, 0, held);
  });
</script>"""
"""A row swaps places with another when the mouse passes the other's middle."""


BECOMES_DRAGGABLE = BOARD.replace("draggable=true ", "")
"""A card that becomes draggable when it is pressed."""
NOT_TAKEN = BOARD.replace("event.preventDefault()", "0", 1)
SORTS = """<style>* {{ margin: 0 }} li {{ height: 40px; list-style: none }}</style>
<ul>{rows}</ul><script>
  const list = document.querySelector('ul');
  let held = null;
  let deaf = false;
  list.ondragstart = ({{ target }}) => {{ held = target }};
  list.ondragover = (event) => {{
    {take}
    const over = event.target.closest('li');
    if (deaf || over === null || over === held) return;
    const isAfter = over.compareDocumentPosition(held) & Node.DOCUMENT_POSITION_PRECEDING;
    if (isAfter) over.after(held); else over.before(held);
    deaf = true;
    setTimeout(() => {{ deaf = false }}, 30);
  }};
</script>""".replace(
    "{rows}",
    "".join(
        f"<li draggable=true role=button tabindex=0>{row}</li>"
        for row in ("One", "Two", "Three", "Four")
    ),
)
"""Rows swap places under the pointer, at most once every 30 ms."""


def in_bin(tab: Tab) -> str:
    return str(tab.js("document.querySelector('section').textContent"))


def landmark(tab: Tab) -> str:
    [found] = tab.call("find", selector="section")
    return str(found["id"])


@pytest.mark.req("C-DRG-01", "C-DRG-02")
def test_a_heading_is_dropped_on_a_landmark_outside_the_viewport(tab: Tab) -> None:
    tab.open(BOARD.format(gap=900).replace("role=button tabindex=0", "role=heading"))
    page = tab.call("observe")["structure"]

    tab.call("drag", source_id=page["headings"][0]["id"], target_id=page["landmarks"][0]["id"])

    assert in_bin(tab) == "the card"


def test_drag_moves_a_row_of_a_sortable_list_to_the_target_row(tab: Tab) -> None:
    cases = [
        ("One", "Three", ["Two", "Three", "One", "Four"]),
        ("Four", "Two", ["One", "Four", "Two", "Three"]),
    ]

    for source, target, rows in cases:
        with case(source, target, rows):
            tab.open(LIST)
            tab.call("drag", source_id=tab.find(source), target_id=tab.find(target))
            assert tab.js("rows") == rows


def test_a_drag_out_of_a_frame_carries_its_data(tab: Tab) -> None:
    for host in ["127.0.0.1", "other.localhost"]:
        with case(host):
            inner = tab.web.write("""<div draggable=true role=button tabindex=0>Card</div><script>
      ondragstart = (event) => event.dataTransfer.setData('text/plain', 'the card')</script>""")
            tab.open(
                BOARD.format(gap=40) + f"<iframe src='{tab.web.url(inner, host=host)}'></iframe>"
            )
            tab.js("card.remove()")
            tab.call("drag", source_id=tab.find("Card"), target_id=landmark(tab))
            assert in_bin(tab) == "the card"


def test_a_drag_into_a_frame_carries_its_data(tab: Tab) -> None:
    for host in ["127.0.0.1", "other.localhost"]:
        with case(host):
            inner = tab.web.write(BOARD.format(gap=0) + "<script>card.remove()</script>")
            url = tab.web.url(inner, host=host)
            tab.open("<div draggable=true role=button tabindex=0>Own</div><script>"
                     "ondragstart = (event) => event.dataTransfer.setData('text', 'from outside')"
                     f"</script><iframe src='{url}'></iframe>")  # fmt: skip
            answer = tab.call("drag", source_id=tab.find("Own"), target_id=landmark(tab))
            assert "from outside" in new_texts(answer)


def test_a_drag_without_a_visible_target_leaves_the_page_usable(tab: Tab) -> None:
    for gone in ["display = 'none'", "visibility = 'hidden'"]:
        with case(gone):
            tab.open(
                BOARD.format(gap=40) + "<button onclick='card.textContent = `Hit`'>Hit it</button>"
            )
            tab.js(f"card.addEventListener('dragstart', () => {{ bin.style.{gone} }}); 1")
            error = tab.refused("drag", source_id=tab.find("Card"), target_id=landmark(tab))
            assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
            assert "Hit" in new_texts(tab.click("Hit it"))


def test_an_element_that_becomes_draggable_when_pressed_is_dropped(tab: Tab) -> None:
    for press in ["pointerdown", "mousedown"]:
        with case(press):
            tab.open(BECOMES_DRAGGABLE.format(gap=40))
            tab.js(f"card.addEventListener('{press}', () => {{ card.draggable = true }}); 1")
            tab.call("drag", source_id=tab.find("Card"), target_id=landmark(tab))
            assert in_bin(tab) == "the card"


TREE = """<ul role=tree style="width: 200px">
<li role=treeitem draggable=true aria-label=Inbox><{0}>Inbox</{0}>
<li role=treeitem draggable=true aria-label=Trash><{0}>Trash</{0}></ul>
<style>li {{ height: 24px; margin: 0 }}</style><script>
  const tree = document.querySelector('ul');
  tree.ondragover = (event) => event.preventDefault();
  tree.ondrop = ({{ clientY, target }}) => {{
    const {{ top, height }} = target.closest('li').getBoundingClientRect();
    const part = (clientY - top) / height;
    document.title = part < 0.3 ? 'before' : part > 0.7 ? 'after' : 'in';
  }};</script>"""


@pytest.mark.parametrize("part", ["b", "a"])
def test_what_is_dropped_on_an_item_of_a_tree_goes_into_it(tab: Tab, part: str) -> None:
    tab.open(TREE.format(part))
    for source, target in [("Inbox", "Trash"), ("Trash", "Inbox")]:
        ids = [tab.find(name, role="treeitem") for name in (source, target)]
        tab.call("drag", source_id=ids[0], target_id=ids[1])
        assert tab.js("[document.title, document.title = ''][0]") == "in"


def test_drag_gives_a_sorting_list_time_to_reorder(tab: Tab) -> None:
    for take in ["event.preventDefault();", ""]:
        with case(take):
            tab.open(SORTS.format(take=take))
            tab.call("drag", source_id=tab.find("One"), target_id=tab.find("Four"))
            rows = tab.js("Array.from(document.querySelectorAll('li'), (row) => row.textContent)")
            assert rows == ["Two", "Three", "Four", "One"]


def test_a_drag_without_a_drop_is_an_error_and_the_next_click_arrives(tab: Tab) -> None:
    tab.open(
        NOT_TAKEN.format(gap=40) + "<button onclick='this.textContent = `Hit`'>Hit it</button>"
    )

    error = tab.refused("drag", source_id=tab.find("Card"), target_id=landmark(tab))

    assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
    assert "was not dropped" in error["message"]
    assert in_bin(tab) == ""
    assert "Hit" in new_texts(tab.click("Hit it"))
