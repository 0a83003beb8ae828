"""Canvases, diagrams, maps, charts and image crops."""

from typing import Final

from tests.libraries.steps import (
    By,
    Click,
    Drag,
    Element,
    Hover,
    Keys,
    Look,
    Place,
    Task,
    button,
    text,
)

_SORT = Element("group", "Sort rows")
_CURVE = (Place(150, 60), Place(220, 120), Place(300, 70))

TASKS: Final = (
    Task(
        "move a circle", "konva?page=move",
        [Look(), Drag(Place(150, 150), By(x=300, y=100))],
        "Math.abs(state.x - 450) < 2 && Math.abs(state.y - 250) < 2",
    ),
    Task(
        "draw a rectangle", "konva?page=rectangle",
        [Look(), Drag(Place(200, 100), Place(500, 250))],
        "state.drawn.length == 1 && state.drawn[0].width == 300 && state.drawn[0].height == 150",
    ),
    Task(
        "double-click a shape", "konva?page=move",
        [Look(), Click(Place(160, 140), "double")],
        "state.clicked == 1",
    ),
    Task(
        "move a box", "fabric?page=move",
        [Look(), Drag(Place(130, 130), By(x=100, y=200))],
        "Math.abs(state.boxes[0].left - 200) < 2 && Math.abs(state.boxes[0].top - 300) < 2",
    ),
    Task(
        "select two boxes with a rectangle", "fabric?page=move",
        [Look(), Drag(Place(60, 60), Place(450, 220))],
        "state.chosen == 2",
    ),
    Task(
        "draw a line", "fabric?page=draw",
        [Look(), Drag(Place(100, 100), Place(400, 300), via=[Place(200, 250)])],
        "state.paths.length == 1 && state.paths[0] > 280",
    ),
    Task(
        "sign", "signature_pad",
        [Look(), Drag(Place(80, 100), Place(380, 100), via=_CURVE)],
        "state.strokes.length == 1 && state.strokes[0] >= 4",
    ),
    Task(
        "sign twice and undo once", "signature_pad",
        [
            Look(), Drag(Place(80, 100), Place(200, 100)), Drag(Place(80, 150), Place(200, 150)),
            Click(button("Undo")),
        ],
        "state.strokes.length == 1",
    ),
    Task(
        "move a node", "react_flow",
        [Drag(_SORT, By(x=100, y=150))],
        "Math.abs(state.places.sort.x - 500) < 10 && Math.abs(state.places.sort.y - 200) < 10",
    ),
    Task(
        "connect two nodes", "react_flow",
        [Look(), Drag(Place(183, 94), Place(333, 309))],
        "state.edges.join() == 'read-save'",
    ),
    Task(
        "delete a node", "react_flow",
        [Click(_SORT), Keys(["Delete"])],
        "!('sort' in state.places)",
    ),
    Task("zoom in", "react_flow", [Click(button("Zoom In"))], "state.zoom > 1.1"),
    Task(
        "move an element", "jointjs",
        [Drag(text("Start"), By(x=50, y=150))],
        "state.start.x == 110 && state.start.y == 230",
    ),
    Task(
        "double-click an element", "jointjs",
        [Click(text("End"), "double")],
        "state.pressed == 'End'",
    ),
    Task(
        "open a marker, press a button in its popup", "leaflet",
        [Click(button("Museum")), Click(button("Plan a visit"))],
        "state.planned",
    ),
    Task(
        "pan the map", "leaflet",
        [Look(), Drag(Place(600, 400), By(x=-200, y=-100))],
        "state.center.lng > 15 && state.center.lat < 49",
    ),
    Task(
        "zoom in twice", "leaflet",
        [Click(button("Zoom in")), Click(button("Zoom in"))],
        "state.zoom == 7",
    ),
    Task(
        "move a marker", "leaflet",
        [Drag(button("Truck"), By(x=100, y=50))],
        "Math.abs(state.truck.x - 591) < 4 && Math.abs(state.truck.y - 228) < 4",
    ),
    Task(
        "open the context menu of the map", "leaflet",
        [Look(), Click(Place(500, 350), "right")],
        "state.menu == 'here'",
    ),
    Task(
        "choose a point", "openlayers?page=click",
        [Look(), Click(Place(400, 250))],
        "state.chosen == 'Station'",
    ),
    Task(
        "draw a triangle", "openlayers?page=draw",
        [
            Look(), Click(Place(200, 150)), Click(Place(350, 150)), Click(Place(280, 300)),
            Click(Place(200, 150)),
        ],
        "state.shapes.join() == '3'",
    ),
    Task(
        "pan the map", "openlayers?page=click",
        [Look(), Drag(Place(500, 400), By(x=-150))],
        "Math.abs(state.center[0] - 1500) < 400",
    ),
    Task("press a bar", "echarts", [Look(), Click(Place(245, 300))], "/Mon/.test(state.pressed)"),
    Task(
        "zoom with the slider", "echarts",
        [Look(), Drag(Place(100, 385), By(x=200))],
        "state.zoom > 20",
    ),
    Task("press a bar", "chartjs", [Look(), Click(Place(315, 250))], "state.pressed == 'Tue'"),
    Task("hide a data set", "chartjs", [Look(), Click(Place(315, 16))], "state.visible === false"),
    Task(
        "show the tooltip of a bar", "chartjs",
        [Look(), Hover(Place(315, 250))],
        "state.hovered == 'Tue'",
    ),
    Task("press a bar", "plotly", [Look(), Click(Place(310, 280))], "/Tue/.test(state.pressed)"),
    Task(
        "select bars with a rectangle", "plotly",
        [Look(), Drag(Place(200, 120), Place(500, 310))],
        "state.chosen >= 2",
    ),
    Task(
        "hide a data set", "plotly", [Look(), Click(text("Snow"))],
        "state.shown?.[1] == 'legendonly'",
    ),
    Task(
        "move the crop", "cropper",
        [Look(), Drag(Place(200, 170), By(x=120, y=60))],
        "Math.abs(state.x - 220) < 3 && Math.abs(state.y - 160) < 3 && state.width == 200",
    ),
    Task(
        "make the crop larger", "cropper",
        [Look(), Drag(Place(300, 250), Place(420, 330))],
        "Math.abs(state.width - 320) < 6 && Math.abs(state.height - 230) < 6",
    ),
)  # fmt: skip
