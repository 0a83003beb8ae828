"""select follows paths into folded trees, cascades and groups, and closes what it opened."""

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

FILES = """const FILES = {
  Documents: { Work: { 'Resume.doc': 0, 'Costs.doc': 0 }, Home: { 'Bills.doc': 0 } },
  Pictures: { Work: { 'Team.jpg': 0 } } };"""

NESTED = """<div id="tree" role="tree" aria-label="Files"></div><script>
  globalThis.chosen = [];
  FILES_HERE
  const build = (files, into) => {
    for (const [name, inside] of Object.entries(files)) {
      const item = document.createElement('div');
      item.role = 'treeitem';
      item.style.marginLeft = '20px';
      item.innerHTML = `<div class=row>${inside ? '<button>▸</button>' : ''}<span></span></div>`;
      item.querySelector('span').textContent = name;
      item.querySelector('.row').onclick = () => chosen.push(name);
      if (inside) {
        item.ariaExpanded = 'false';
        const group = document.createElement('div');
        group.role = 'group';
        group.hidden = true;
        item.append(group);
        build(inside, group);
        item.querySelector('button').onclick = (e) => {
          e.stopPropagation();
          group.hidden = !group.hidden;
          item.ariaExpanded = String(!group.hidden);
        };
      }
      into.append(item);
    }
  };
  build(FILES, tree);
</script>""".replace("FILES_HERE", FILES)

FLAT = """<input id="box" role="combobox" readonly aria-label="File" aria-expanded="false"
    aria-controls="tree">
  <div id="tree" role="tree" hidden style="position:absolute"></div><script>
  globalThis.chosen = [];
  FILES_HERE
  const unfolded = new Set();
  const row = (name, path, depth, inside) => {
    const item = document.createElement('div');
    item.role = 'treeitem';
    item.innerHTML = '<u style="display:inline-block;width:16px;height:10px"></u>'.repeat(depth)
      + '<b><svg width=10 height=10></svg></b><span></span>';
    item.querySelector('span').textContent = name;
    item.onclick = () => { chosen.push(path); toggle(false); };
    if (inside) {
      item.ariaExpanded = String(unfolded.has(path));
      item.querySelector('b').onclick = (e) => {
        e.stopPropagation();
        unfolded[unfolded.has(path) ? 'delete' : 'add'](path);
        draw();
      };
    }
    return item;
  };
  const rows = (files, before, depth) => Object.entries(files).flatMap(([name, inside]) => {
    const path = before + name;
    const below = inside && unfolded.has(path) ? rows(inside, path + '/', depth + 1) : [];
    return [row(name, path, depth, inside), ...below];
  });
  const draw = () => tree.replaceChildren(...rows(FILES, '', 0));
  const toggle = (shown) => { tree.hidden = !shown; box.ariaExpanded = String(shown); };
  box.onclick = () => { draw(); toggle(tree.hidden); };
  onkeydown = (e) => { if (e.key === 'Escape') toggle(false); };
</script>""".replace("FILES_HERE", FILES)

CASCADE = """<ul role="tree" aria-label="Menu"><li role="treeitem" aria-level="1">Asia</li></ul>
  <input id="box" readonly aria-label="Place">
  <div id="menus" style="position:absolute"></div><script>
  globalThis.chosen = [];
  const PLACES = {
    Asia: { China: { Beijing: 0, Shanghai: 0 }, Japan: { Tokyo: 0 } },
    Europe: { Spain: { Madrid: 0 } },
  };
  const column = (places, path) => {
    const list = document.createElement('ul');
    list.role = 'menu';
    for (const [name, inside] of Object.entries(places)) {
      const item = document.createElement('li');
      item.role = 'menuitem';
      item.textContent = name;
      if (inside) item.ariaHasPopup = 'true';
      item.onclick = () => {
        while (menus.lastChild !== list) menus.lastChild.remove();
        if (inside) menus.append(column(inside, [...path, name]));
        else { chosen.push([...path, name].join('/')); menus.replaceChildren(); }
      };
      list.append(item);
    }
    return list;
  };
  box.onclick = () => menus.replaceChildren(column(PLACES, []));
  onkeydown = (e) => { if (e.key === 'Escape') menus.replaceChildren(); };
</script>"""

GROUPED = """<div id="list" role="listbox" aria-label="Things">
  <div>Fruit</div><div role="option">Pear</div><div role="option" id="fruit">Orange</div>
  <div>Colour</div><div role="option" id="colour">Orange</div></div>
  <script>globalThis.chosen = []; list.onclick = (e) => chosen.push(e.target.id)</script>"""

HEADED = """<div id="list" role="listbox" aria-label="Things">
  <div role="option">Fruit</div><div role="option" id="fruit">Orange</div>
  <div role="option">Colour</div><div role="option" id="colour">Orange</div></div>
  <script>globalThis.chosen = []; list.onclick = (e) => chosen.push(e.target.id)</script>"""

NATIVE = """<select id="s" aria-label="Things">
  <optgroup label="Fruit"><option value="1">Orange</optgroup>
  <optgroup label="Colour"><option value="2">Orange<option value="3">Off / On</optgroup></select>"""


@pytest.mark.parametrize("separator", [" / ", " > "])
def test_a_path_unfolds_the_nodes_of_a_tree(tab: Tab, separator: str) -> None:
    tab.open(NESTED)
    [tree] = tab.call("find", selector="#tree")

    path = separator.join(["Documents", "Work", "Resume.doc"])
    tab.call("select", element_id=tree["id"], value=path)

    assert tab.js("chosen") == ["Resume.doc"]


def test_a_folder_is_chosen_by_its_own_row(tab: Tab) -> None:
    tab.open(NESTED)
    [tree] = tab.call("find", selector="#tree")
    tab.call("select", element_id=tree["id"], value="Pictures / Work / Team.jpg")

    tab.call("select", element_id=tree["id"], value="Pictures / Work")

    assert tab.js("chosen") == ["Team.jpg", "Work"]


def test_a_path_in_a_flat_tree_follows_the_indentation(tab: Tab) -> None:
    tab.open(FLAT)

    tab.call("select", element_id=tab.find("File"), value="Pictures / Work / Team.jpg")

    assert tab.js("chosen") == ["Pictures/Work/Team.jpg"]
    assert tab.js("tree.hidden") is True


def test_a_path_that_ends_nowhere_lists_the_options_there_and_closes_the_tree(tab: Tab) -> None:
    tab.open(FLAT)

    error = tab.refused("select", element_id=tab.find("File"), value="Documents / Work / Plan.doc")

    assert "has no option 'Plan.doc' in 'Documents / Work'" in error["message"]
    assert "'Resume.doc', 'Costs.doc'" in error["message"]
    assert tab.js("tree.hidden") is True
    assert tab.js("chosen") == []


INLINE = """<ul role=tree aria-label=Files>
<li role=treeitem aria-expanded=false tabindex=0><span onclick="toggle(this.parentNode)">src</span>
<ul role=group hidden>
<li role=treeitem tabindex=-1 onclick="document.title = 'main.py'">main.py</li></ul>
</li></ul><script>
function toggle(node) {
  const isOpen = node.ariaExpanded === 'true';
  node.ariaExpanded = String(!isOpen);
  node.querySelector('ul').hidden = isOpen;
}</script>"""


def test_a_path_is_followed_from_an_item_of_the_tree(tab: Tab) -> None:
    tab.open(INLINE)

    tab.call("select", element_id=tab.find("src"), value="src / main.py")

    assert tab.js("document.title") == "main.py"


def test_a_path_that_ends_nowhere_leaves_a_tree_on_the_page_folded(tab: Tab) -> None:
    tab.open(INLINE)

    error = tab.refused("select", element_id=tab.find("src"), value="src / nope.py")

    assert "has no option 'nope.py' in 'src'" in error["message"]
    assert tab.js("document.querySelector('[role=treeitem]').ariaExpanded") == "false"


def test_an_option_in_a_folded_node_is_refused_with_the_form_of_a_path(tab: Tab) -> None:
    tab.open(FLAT)

    error = tab.refused("select", element_id=tab.find("File"), value="Team.jpg")

    assert "give a path: 'Documents / …'" in error["suggestion"]
    assert tab.js("tree.hidden") is True


def test_a_path_follows_the_columns_of_a_cascade(tab: Tab) -> None:
    tab.open(CASCADE)
    place = tab.find("Place")

    tab.call("select", element_id=place, value="Asia / China / Shanghai")
    error = tab.refused("select", element_id=place, value="Europe / Spain / Paris")

    assert tab.js("chosen") == ["Asia/China/Shanghai"]
    assert "It offers 'Madrid'" in error["message"]
    assert tab.js("menus.childElementCount") == 0


@pytest.mark.parametrize("page", [GROUPED, HEADED])
def test_an_option_is_chosen_in_its_group(tab: Tab, page: str) -> None:
    tab.open(page)
    [box] = tab.call("find", selector="#list")

    tab.call("select", element_id=box["id"], value="Colour / Orange")

    assert tab.js("chosen") == ["colour"]


@pytest.mark.parametrize(("value", "chosen"), [("Colour / Orange", "2"), ("Off / On", "3")])
def test_an_option_of_a_native_select_is_chosen_in_its_group(
    tab: Tab, value: str, chosen: str
) -> None:
    tab.open(NATIVE)

    tab.call("select", element_id=tab.find("Things"), value=value)

    assert tab.js("s.value") == chosen


VIRTUAL = """<div id="list" role="listbox" aria-multiselectable="true" aria-label="Zones"
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
    tab.open(VIRTUAL.replace("JITTER", "'4000px'"))
    [box] = tab.call("find", selector="#list")

    tab.call("select", element_id=box["id"], value=["Zone 7", "Zone 120"])

    assert tab.js("[...chosen].sort()") == [120, 7]


def test_a_list_that_jumps_back_at_its_end_is_searched_to_its_end(tab: Tab) -> None:
    tab.open(VIRTUAL.replace("JITTER", "list.scrollTop > 3860 ? '3900px' : '4000px'"))
    [box] = tab.call("find", selector="#list")

    error = tab.refused("select", element_id=box["id"], value="Zone 900")

    assert "among the 200 that were seen" in error["message"]
    assert "scrolled through to its end" in error["message"]
