"""Selects, menus, dialogs and toasts."""

from typing import Final

from tests.libraries.steps import (
    Choose,
    Click,
    Element,
    Fill,
    Hover,
    Task,
    Write,
    button,
    combobox,
    field,
    menuitem,
    text,
)

TASKS: Final = (
    Task(
        "choose a city", "react_select?page=single",
        [Choose(combobox("City"), ["Oslo"])],
        "state.chosen == 'Oslo'",
    ),
    Task(
        "choose two cities", "react_select?page=multi",
        [Choose(combobox("Cities"), ["Rome", "Vienna"])],
        "state.chosen.includes('Rome') && state.chosen.includes('Vienna')",
    ),
    Task(
        "choose in a group", "react_select?page=groups",
        [Choose(combobox("Grouped city"), ["Vienna"])],
        "state.chosen == 'Vienna'",
    ),
    Task(
        "create an option", "react_select?page=creatable",
        [Click(combobox("Tags")), Write("new one", enter=True)],
        "state.chosen.join() == 'new one'",
    ),
    Task(
        "choose a planet", "tom_select?page=single",
        [Choose(combobox("Planet"), ["Venus"])],
        "state.chosen.join() == 've'",
    ),
    Task(
        "choose two planets", "tom_select?page=multi",
        [Choose(combobox("Planet"), ["Venus", "Mercury"])],
        "state.chosen.includes('ve') && state.chosen.includes('me')",
    ),
    Task(
        "create an option", "tom_select?page=create",
        [Click(combobox("Planet")), Write("Pluto", enter=True)],
        "state.chosen.join() == 'Pluto'",
    ),
    Task(
        "choose three people of 200", "mui?page=values",
        [Choose(combobox("People"), ["Person 7", "Person 77", "Person 177"])],
        "state.people.join() == 'Person 7,Person 77,Person 177'",
    ),
    Task(
        "choose two far options of 1,000", "primevue?page=virtual",
        [Choose(combobox("Items"), ["Item 444", "Item 987"])],
        "state.items.join() == '444,987'",
    ),
    Task(
        "choose a leaf of a tree", "primevue?page=treeselect",
        [Choose(combobox(""), ["Documents / Work / Resume.doc"])],
        "Object.keys(state.file).join() == '0-0-1'",
        refused="has no option 'Documents / Work / Resume.doc'",
    ),
    Task(
        "choose in a cascade", "primevue?page=cascade",
        [Choose(combobox("Choose a city"), ["Canada / Ontario / Toronto"])],
        "state.city.cname == 'Toronto'",
        refused="has no option 'Canada / Ontario / Toronto'",
    ),
    Task(
        "choose two far options of 300", "antd?page=choices",
        [Choose(combobox("Cities"), ["City 3", "City 277"])],
        "state.cities.join() == '3,277'",
    ),
    Task(
        "choose in a cascade", "antd?page=choices",
        [Choose(combobox("Place"), ["Norway / Vestland / Bergen"])],
        "state.place.join('/') == 'no/vest/bergen'",
        refused="has no option 'Norway / Vestland / Bergen'",
    ),
    Task(
        "choose a leaf of a tree", "antd?page=choices",
        [Choose(combobox("Region"), ["Italy / Lazio / Rome"])],
        "state.region == 'rome'",
        refused="has no option 'Italy / Lazio / Rome'",
    ),
    Task(
        "choose three of 39 zones", "quasar?page=select",
        [Choose(combobox("Zones"), ["Zone 3", "Zone 12", "Zone 33"])],
        "state.zones.join() == 'Zone 3,Zone 12,Zone 33'",
    ),
    Task(
        "choose two cities", "shoelace?page=several",
        [Choose(combobox("City"), ["Oslo", "Lima"])],
        "state.chosen.join() == 'oslo,lima'",
    ),
    Task(
        "choose two fruits", "webawesome?page=select",
        [Choose(combobox("Fruits"), ["Apple", "Plum"])],
        "state.fruits.join() == 'apple,plum'",
    ),
    Task(
        "choose a fruit", "radix?page=select",
        [Choose(combobox("Fruit"), ["Grapes"])],
        "state.fruit == 'Grapes'",
    ),
    Task(
        "choose a person", "headless_ui?page=combobox",
        [Choose(combobox("Assignee"), ["Katelyn Rohan"])],
        "state.person == 'Katelyn Rohan'",
    ),
    Task(
        "choose two guests", "headless_ui?page=listbox",
        [Choose(button("Guests No one"), ["Kenton Towne", "Katelyn Rohan"])],
        "state.people.join() == 'Kenton Towne,Katelyn Rohan'",
    ),
    Task(
        "menu, radio and switch", "headless_ui?page=rest",
        [
            Click(button("My account")), Click(menuitem("Sign out")),
            Click(Element("radio", "Business")), Click(Element("switch", "Notifications")),
        ],
        "state.done == 'signed out' && state.plan == 'Business' && state.on",
    ),
    Task(
        "choose an animal", "react_aria?page=combo",
        [Choose(combobox("Animal"), ["Panda"])],
        "state.animal == 'Panda'",
    ),
    Task(
        "choose two toppings", "react_aria?page=list",
        [Click(Element("option", "Ham")), Click(Element("option", "Peppers"))],
        "state.chosen.join() == 'Ham,Peppers'",
    ),
    Task(
        "press an item of a submenu", "radix?page=menu",
        [Click(button("Options")), Click(menuitem("More tools")), Click(menuitem("Save page"))],
        "state.done == 'save'",
    ),
    Task(
        "press an item of a context menu", "radix?page=context",
        [Click(text("Right-click here"), "right"), Click(menuitem("Reload"))],
        "state.done == 'reload'",
    ),
    Task(
        "confirm a dialog", "radix?page=dialog",
        [Click(button("Delete account")), Click(button("Yes, delete"))],
        "state.done == 'deleted'",
    ),
    Task(
        "press an item of a menu", "mui?page=work",
        [Click(button("Account")), Click(menuitem("Log out"))],
        "state.done == 'logout'",
    ),
    Task(
        "fill in a dialog", "mui?page=work",
        [
            Click(button("New project")), Fill({field("Project name"): "Apollo"}),
            Choose(combobox("Colour"), ["green"]), Click(button("Create")),
        ],
        "state.project == 'Apollo' && state.color == 'green'",
    ),
    Task(
        "fill in a dialog", "quasar?page=dialog",
        [Click(button("Invite")), Fill({field("Guest name"): "Ada"}), Click(button("Send"))],
        "state.sent == 'Ada'",
    ),
    Task(
        "press an item of a menu", "quasar?page=dialog",
        [Click(button("More")), Click(text("Archive"))],
        "state.done == 'Archive'",
    ),
    Task(
        "press an item of a submenu", "shoelace?page=submenu",
        [Click(button("Edit")), Hover(menuitem("Find")), Click(menuitem("Find next"))],
        "state.pressed == 'next'",
    ),
    Task(
        "press an item of a submenu of a context menu", "primevue?page=context",
        [
            Click(text("Photo.png"), "right"), Hover(menuitem("Share")),
            Click(menuitem("By link")),
        ],
        "state.done == 'link'",
    ),
    Task(
        "confirm a dialog", "antd?page=confirm",
        [Click(button("Delete file")), Click(button("Delete"))],
        "state.deleted",
    ),
    Task(
        "undo by the toast", "sonner",
        [Click(button("Remove message")), Click(button("Undo"))],
        "state.removed === false",
    ),
    Task(
        "close a toast", "sonner",
        [Click(button("Save")), Click(button("Close toast"))],
        "state.dismissed",
    ),
    Task(
        "move two items to the other list", "antd?page=transfer",
        [Click(text("Read")), Click(text("Share")), Click(button("right"))],
        "state.granted?.slice().sort().join() == 'Read,Share'",
    ),
)  # fmt: skip
