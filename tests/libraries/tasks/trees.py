"""Trees."""

from typing import Final

from tests.libraries.steps import Click, Drag, Element, Keys, Look, Place, Task, Write, text


def _item(name: str) -> Element:
    return Element("treeitem", name)


TASKS: Final = (
    Task("select an item at depth 3", "mui_x?page=tree",
         [Click(_item("Fruit")), Click(_item("Citrus")), Click(_item("Lime"))],
         "[state.chosen].flat().join() == 'lime'"),
    Task("open and tick an item", "mui_x?page=check",
         [Click(_item("Nuts")), Click(_item("Almond")), Keys(["Space"])],
         "[state.chosen].flat().includes('almond')"),
    Task("open two levels and select", "jstree",
         [
             Click(_item("Documents"), "double"), Click(_item("Work"), "double"),
             Click(_item("Resume")),
         ],
         "state.chosen.join() == 'resume'"),
    Task("rename by the context menu", "jstree",
         [
             Click(_item("Documents"), "double"), Click(_item("Work"), "double"),
             Click(_item("Resume"), "right"), Click(text("Rename")), Write("CV", enter=True),
         ],
         "state.resume == 'CV'"),
    Task("move an item by drag and drop", "jstree",
         [Click(_item("Documents"), "double"), Drag(_item("Home"), _item("Pictures"))],
         "state.parent != 'docs'"),
    Task("tick a whole branch", "jstree?page=check",
         [Click(_item("Documents"))],
         "state.chosen.includes('resume') && state.chosen.includes('home')"),
    Task("tick a leaf", "quasar?page=tree",
         [Click(_item("Food")), Click(_item("Fruit")), Look(), Click(Place(88, 116))],
         "state.ticked.join() == 'Pears'"),
    Task("open and select two items", "shoelace?page=tree",
         [Keys(["ArrowRight"], on=_item("Trees")), Click(_item("Maple"))],
         "state.ticked.join() == 'Maple'"),
    Task("open and select a leaf", "webawesome?page=tree",
         [Click(_item("Plants")), Click(_item("Mosses"))],
         "state.chosen.join() == 'Mosses'"),
)  # fmt: skip
