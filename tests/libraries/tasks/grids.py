"""Data grids, spreadsheets, tables and virtual lists."""

from typing import Final

from tests.libraries.steps import (
    By,
    Click,
    Drag,
    Element,
    Fill,
    Keys,
    Look,
    Place,
    Scroll,
    Task,
    Write,
    button,
    cell,
    checkbox,
    field,
    text,
)

_ROW = "Press Space to toggle row selection (unchecked)"

TASKS: Final = (
    Task(
        "edit the salary of a person", "ag_grid?page=work",
        [Click(cell("1411", "Person 3"), "double"), Write("2500", enter=True)],
        "state.row(3).salary == 2500",
    ),
    Task(
        "sort by salary, highest first", "ag_grid?page=work",
        [Click(text("Salary")), Click(text("Salary"))],
        "state.first == 'Person 7'",
    ),
    Task(
        "filter by salary", "ag_grid?page=work",
        [Fill({field("Salary Filter Input"): "1411"})],
        "state.shown == 1 && state.first == 'Person 3'",
    ),
    Task(
        "select the rows of two people", "ag_grid?page=work",
        [Click(checkbox(_ROW, "Person 2")), Click(checkbox(_ROW, "Person 5"))],
        "state.chosen.join() == 'Person 2,Person 5'",
    ),
    Task(
        "move a column before another", "ag_grid?page=work",
        [Drag(text("Salary"), text("Name"))],
        "state.columns.indexOf('salary') < state.columns.indexOf('name')",
    ),
    Task(
        "edit the age of a person", "mui_x?page=grid",
        [Click(cell("41", "Person 3"), "double"), Keys(["Control+a"]), Write("42", enter=True)],
        "state.row(3).age == 42",
    ),
    Task(
        "choose the city of a person in its cell", "mui_x?page=grid",
        [Click(cell("Oslo", "Person 3"), "double"), Click(Element("option", "Rome"))],
        "state.row(3).city == 'Rome' || document.activeElement.closest('[data-field=city]')",
    ),
    Task(
        "sort by age, highest first", "mui_x?page=grid",
        [Click(Element("columnheader", "Age")), Click(Element("columnheader", "Age"))],
        "state.sort?.[0]?.field == 'age' && state.sort[0].sort == 'desc'",
    ),
    Task(
        "select the rows of two people", "mui_x?page=grid",
        [Click(checkbox("Select row", "Person 2")), Click(checkbox("Select row", "Person 5"))],
        "state.chosen.join() == '2,5'",
    ),
    Task(
        "search the grid", "mui_x?page=grid",
        [Click(button("Search")), Write("Person 17")],
        "state.filter?.quickFilterValues?.join(' ') == 'Person 17'",
    ),
    Task(
        "edit a name in its cell", "tabulator",
        [Click(cell("Person 3")), Write(" Smith", enter=True)],
        "state.person(3).name == 'Person 3 Smith'",
    ),
    Task(
        "choose a city in its cell", "tabulator",
        [Click(cell("Rome", "Person 2")), Click(text("Paris"))],
        "state.person(2).city == 'Paris'",
    ),
    Task(
        "filter by name", "tabulator",
        [Fill({Element("searchbox", ""): "Person 19"})],
        "state.count == 11",
    ),
    Task(
        "sort by age, highest first", "tabulator",
        [Click(Element("columnheader", "Age")), Click(Element("columnheader", "Age"))],
        "state.rows[0].age == 69",
    ),
    Task(
        "tick a cell", "tabulator",
        [Click(cell("", "Person 4")), Keys(["Space", "Enter"])],
        "state.person(4).done === true",
    ),
    Task(
        "move a column before another", "tabulator",
        [Drag(Element("columnheader", "City"), Element("columnheader", "Age"), hold=400)],
        "state.columns.indexOf('city') < state.columns.indexOf('age')",
    ),
    Task(
        "replace an amount", "jspreadsheet",
        [Click(Element("cell", "300"), "double"), Keys(["Control+a"]), Write("350", enter=True)],
        "state.data[1][1] == 350",
    ),
    Task(
        "type over an amount and write a formula", "jspreadsheet",
        [Click(Element("cell", "120")), Write("200", enter=True), Write("=SUM(B1:B3)", enter=True)],
        "state.total == 1400",
    ),
    Task(
        "insert a row by the context menu", "jspreadsheet",
        [Click(Element("cell", "Food"), "right"), Click(text("Insert a new row before"))],
        "state.rows == 7 && state.data[1][0] == ''",
    ),
    Task(
        "select a block of cells", "jspreadsheet",
        [Drag(Element("cell", "Rent"), Element("cell", "300"))],
        "/A1.*B2/.test(JSON.stringify(state.selected))",
    ),
    Task(
        "edit a city in its cell", "primevue?page=editing",
        [Click(Element("cell", "Oslo")), Keys(["Control+a"]), Write("Bergen", enter=True)],
        "state.row(1).name == 'Bergen'",
    ),
    Task(
        "sort by age, second page", "antd?page=table",
        [Click(text("Age")), Click(text("2"))],
        "state.order == 'ascend' && state.page == 2",
    ),
    Task(
        "select two rows", "antd?page=table",
        [Click(checkbox("Select row 2")), Click(checkbox("Select row 4"))],
        "state.chosen.join() == '1,3'",
    ),
    Task(
        "open row 73,512 of 100,000", "react_window",
        [Look(), Scroll(Place(150, 200), By(y=73510 * 30)), Click(button("Open row 73512"))],
        "state.opened == 73512",
    ),
    Task(
        "like post 950 of 2,000", "tanstack_virtual",
        [Look(), Scroll(Place(150, 200), By(y=944 * 40)), Click(checkbox("Like", "Post 950"))],
        "state.liked.includes(950)",
    ),
)  # fmt: skip
