"""Pages and scripted tasks for drivers of browser tools.

A step is ("click", label), ("go", label): a click that leads to another page, ("fill", label,
text), ("choose", label, option), ("check", label) or ("see", text), after ("open", path).
"""

from collections.abc import Mapping, Sequence

Step = tuple[str, ...]

_HEAD = "<!doctype html><html lang=en><meta charset=utf-8><title>{}</title><body>{}</body></html>"


def _page(title: str, markup: str) -> str:
    return _HEAD.format(title, f"<h1>{title}</h1>{markup}")


_SHOP_NAV = "<nav><a href='/shop'>Home</a> <a href='/shop/cart'>Cart</a></nav>"
_BOOKS = ("Silent Tide", "Low Water", "Kindred", "The Harbour")

_WIZARD = """<div id=w></div><script>
const steps = [
  () => '<h2>Who</h2><label>First name <input id=a></label><label>Last name <input id=b></label>'
    + '<button onclick="next(1)">Continue</button>',
  () => '<h2>Where</h2><label>Street <input></label><label>City <input></label>'
    + '<label>Country <select><option>Austria<option>Norway</select></label>'
    + '<button onclick="next(2)">Continue to payment</button>',
  () => '<h2>Payment</h2><label><input type=checkbox id=t> I accept</label>'
    + '<label>Voucher <input></label><button onclick="next(3)">Place order</button>',
  () => '<p role=status>Thank you, order 4711 is placed.</p>',
];
function next(n) { w.innerHTML = steps[n](); }
next(0);
</script>"""

_TODO = """<label>New task <input id=n></label><button onclick="add()">Add</button><ul id=l></ul>
<p id=c>0 tasks</p><script>
let count = 0;
function add() {
  const item = document.createElement('li'), name = n.value;
  item.innerHTML = `<label><input type=checkbox> ${name}</label> <button>Delete ${name}</button>`;
  item.querySelector('button').onclick = () => { item.remove(); show(-1); };
  l.append(item); n.value = ''; show(1);
}
function show(more) { count += more; c.textContent = `${count} tasks`; }
</script>"""

_TABS = """<div role=tablist><button role=tab onclick="show(0)">Profile</button>
<button role=tab onclick="show(1)">Security</button><button role=tab onclick="show(2)">Plan</button>
</div><div id=p></div><script>
const panels = [
  '<label>Nickname <input></label><button onclick="say(`Profile saved`)">Save profile</button>',
  '<button onclick="more()">Change password</button><div id=d></div>',
  '<label><input type=radio name=r> Basic</label><label><input type=radio name=r> Premium</label>'
    + '<button onclick="say(`Plan changed`)">Confirm plan</button>',
];
function show(n) { p.innerHTML = panels[n] + '<p role=status id=s></p>'; }
function say(text) { s.textContent = text; }
function more() {
  d.innerHTML = '<label>New password <input></label>'
    + '<button onclick="say(`Password changed`)">Set password</button>';
}
show(0);
</script>"""

_FILTER = """<label>Search <input id=q oninput="draw()"></label><ul id=l></ul><p id=c></p>
<div id=d></div><script>
const names = ['Amsel', 'Drossel', 'Fink', 'Star', 'Meise', 'Specht', 'Elster', 'Kauz'];
const all = names.flatMap((name) => [1, 2, 3, 4].map((n) => `${name} ${n}`));
function draw() {
  const found = all.filter((one) => one.toLowerCase().includes(q.value.toLowerCase()));
  l.innerHTML = found.map((one) => `<li><button onclick="pick('${one}')">${one}</button></li>`)
    .join('');
  c.textContent = `${found.length} birds`;
}
function pick(name) {
  d.innerHTML = `<h2>${name}</h2><p>${name} weighs ${name.length * 10} grams.</p>`
    + '<button onclick="d.innerHTML = `<p>Marked as seen.</p>`">Mark as seen</button>';
}
draw();
</script>"""

_DIALOG = """<button onclick="d.showModal()">New member</button><table><tbody id=t></tbody></table>
<dialog id=d><h2>Member</h2><label>Member name <input id=n></label>
<label>Role <select id=r><option>Reader<option>Editor</select></label>
<button onclick="save()">Save member</button></dialog><script>
function save() {
  d.close();
  t.insertAdjacentHTML('beforeend', `<tr><td>${n.value}<td>${r.value}<td><button>Edit ${n.value}`);
  t.lastElementChild.querySelector('button').onclick = () => d.showModal();
}
</script>"""


def _shop() -> Mapping[str, str]:
    rows = "".join(f"<li><a href='/shop/{n}'>{book}</a></li>" for n, book in enumerate(_BOOKS))
    pages = {"/shop": _page("Books", f"{_SHOP_NAV}<ul>{rows}</ul>")}
    for number, book in enumerate(_BOOKS):
        follow = f"<a href='/shop/{(number + 1) % len(_BOOKS)}'>Next book</a>"
        details = f"<p>{book} has {100 + number} pages.</p><button onclick='add()'>Add</button>"
        script = (
            "<p role=status id=s></p><script>function add() "
            "{ s.textContent = 'In the cart: ' + document.title; }</script>"
        )
        pages[f"/shop/{number}"] = _page(book, f"{_SHOP_NAV}{details}{follow}{script}")
    pages["/shop/cart"] = _page("Cart", f"{_SHOP_NAV}<p>Your cart has one book.</p>")
    return pages


PAGES: Mapping[str, str] = {
    "/wizard": _page("Order", _WIZARD),
    "/todo": _page("Tasks", _TODO),
    "/tabs": _page("Settings", _TABS),
    "/filter": _page("Birds", _FILTER),
    "/dialog": _page("Members", _DIALOG),
    **_shop(),
}

TASKS: Mapping[str, Sequence[Step]] = {
    "wizard": (
        ("open", "/wizard"),
        ("fill", "First name", "Ada"),
        ("fill", "Last name", "Lovelace"),
        ("click", "Continue"),
        ("fill", "Street", "Main Street 1"),
        ("fill", "City", "Oslo"),
        ("choose", "Country", "Norway"),
        ("click", "Continue to payment"),
        ("check", "I accept"),
        ("fill", "Voucher", "TIDE"),
        ("click", "Place order"),
        ("see", "order 4711 is placed"),
    ),
    "todo": (
        ("open", "/todo"),
        ("fill", "New task", "Milk"),
        ("click", "Add"),
        ("see", "1 tasks"),
        ("fill", "New task", "Bread"),
        ("click", "Add"),
        ("check", "Milk"),
        ("click", "Delete Bread"),
        ("see", "1 tasks"),
    ),
    "settings": (
        ("open", "/tabs"),
        ("fill", "Nickname", "ada"),
        ("click", "Save profile"),
        ("see", "Profile saved"),
        ("click", "Security"),
        ("click", "Change password"),
        ("fill", "New password", "correct horse"),
        ("click", "Set password"),
        ("see", "Password changed"),
        ("click", "Plan"),
        ("check", "Premium"),
        ("click", "Confirm plan"),
        ("see", "Plan changed"),
    ),
    "filter": (
        ("open", "/filter"),
        ("fill", "Search", "specht"),
        ("see", "4 birds"),
        ("click", "Specht 3"),
        ("see", "weighs 80 grams"),
        ("click", "Mark as seen"),
        ("see", "Marked as seen"),
    ),
    "dialog": (
        ("open", "/dialog"),
        ("click", "New member"),
        ("fill", "Member name", "Grace"),
        ("choose", "Role", "Editor"),
        ("click", "Save member"),
        ("see", "Grace"),
        ("click", "Edit Grace"),
        ("choose", "Role", "Reader"),
        ("click", "Save member"),
    ),
    "shop": (
        ("open", "/shop"),
        ("go", "Low Water"),
        ("see", "101 pages"),
        ("click", "Add"),
        ("see", "In the cart: Low Water"),
        ("go", "Next book"),
        ("see", "102 pages"),
        ("go", "Next book"),
        ("see", "103 pages"),
        ("click", "Add"),
        ("see", "In the cart: The Harbour"),
        ("go", "Cart"),
        ("see", "one book"),
        ("go", "Home"),
        ("go", "Silent Tide"),
        ("see", "100 pages"),
    ),
}
