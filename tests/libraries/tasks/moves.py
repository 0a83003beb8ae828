"""Drag and drop, resizing and splitters."""

from typing import Final

from tests.libraries.steps import By, Drag, Element, Fill, Keys, Look, Place, Task, text

TASKS: Final = (
    Task(
        "move a card to another column", "sortable?page=plain",
        [Drag(text("Call Ada"), text("Pay rent"))],
        "state.done.includes('Call Ada')",
    ),
    Task(
        "move a card within a column", "sortable?page=plain",
        [Drag(text("Write report"), text("Buy paper"))],
        "state.todo.indexOf('Write report') > 0",
    ),
    Task(
        "move a card to another column, with the mouse only", "sortable?page=fallback",
        [Drag(text("Call Ada"), text("Pay rent"))],
        "state.done.includes('Call Ada')",
    ),
    Task(
        "move a card by its handle", "sortable?page=handle",
        [Look(), Drag(Place(76, 180), Place(76, 96))],
        "state.todo.indexOf('Buy paper') < 2",
    ),
    Task(
        "put two things into bins", "react_dnd",
        [Drag(text("Banana"), text("Food bin")), Drag(text("Bottle"), text("Glass bin"))],
        "state.moved?.join() == 'Banana in Food bin,Bottle in Glass bin'",
    ),
    Task(
        "move the first item to the end", "dnd_kit",
        [Drag(text("Apples"), text("Dates"))],
        "state.items.join() == 'Bread,Cheese,Dates,Apples'",
    ),
    Task(
        "move an item down by keys", "dnd_kit",
        [Keys(["Space"], on=text("Bread")), Keys(["ArrowDown"]), Keys(["Space"])],
        "state.items.join() == 'Apples,Cheese,Bread,Dates'",
    ),
    Task(
        "move a widget", "gridstack",
        [Drag(text("Visits"), By(x=240, y=160))],
        "state.visits.x == 6 && state.visits.y == 2",
    ),
    Task(
        "make a widget larger", "gridstack",
        [Look(), Drag(Place(237, 157), Place(400, 320))],
        "state.sales.w >= 5 && state.sales.h == 4",
    ),
    Task(
        "make the left pane narrower", "split?page=horizontal",
        [Look(), Drag(Place(408, 150), By(x=-200))],
        "Math.abs(state.sizes?.[0] - 25) < 2",
    ),
    Task(
        "make the upper pane higher", "split?page=vertical",
        [Look(), Drag(Place(300, 158), By(y=45))],
        "Math.abs(state.sizes?.[0] - 65) < 2",
    ),
    Task(
        "move the splitter to 30 %", "shoelace?page=split",
        [Fill({Element("separator", "Resize"): "30"})],
        "Math.abs(state.position - 30) < 1",
    ),
    Task(
        "drag the splitter", "webawesome?page=split",
        [Drag(Element("separator", "Resize"), By(x=160))],
        "Math.abs(state.position - 70) < 2",
    ),
)  # fmt: skip
