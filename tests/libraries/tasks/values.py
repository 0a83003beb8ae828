"""Sliders, ratings, colours, codes, masks, switches and uploads."""

from typing import Final

from tests.libraries.steps import (
    By,
    Click,
    Drag,
    Element,
    Fill,
    Keys,
    Task,
    Upload,
    button,
    field,
    slider,
    text,
)

TASKS: Final = (
    Task(
        "set a slider to 73", "nouislider?page=single",
        [Fill({slider("Volume"): "73"})],
        "state.values.join() == '73'",
    ),
    Task(
        "set a range to 123 to 321", "nouislider?page=range",
        [Fill({slider("Lowest price"): "123", slider("Highest price"): "321"})],
        "state.values.join() == '123,321'",
    ),
    Task(
        "drag a handle", "nouislider?page=single",
        [Drag(slider("Volume"), By(x=200))],
        "state.values[0] == 60",
    ),
    Task(
        "set a slider to 85", "rc_slider?page=single",
        [Fill({slider("Brightness"): "85"})],
        "state.value == 85",
    ),
    Task(
        "set a range to 35 to 75", "rc_slider?page=range",
        [Fill({slider("From"): "35", slider("To"): "75"})],
        "state.value.join() == '35,75'",
    ),
    Task(
        "move a handle by keys", "rc_slider?page=single",
        [Keys(["ArrowRight"], times=7, on=slider("Brightness"))],
        "state.value == 17",
    ),
    Task(
        "set a slider to 15", "radix?page=slider",
        [Fill({slider("Volume"): "15"})],
        "state.value == 15",
    ),
    Task(
        "set a slider to 73", "mui?page=values",
        [Fill({slider("Volume"): "73"})],
        "state.volume == 73",
    ),
    Task(
        "set a range to 35 to 150", "mui?page=values",
        [Fill({slider("Lowest price"): "35", slider("Highest price"): "150"})],
        "state.prices.join() == '35,150'",
    ),
    Task(
        "rate with four stars", "mui?page=values",
        [Click(Element("radio", "4 Stars"))],
        "state.stars == 4",
    ),
    Task(
        "set a slider and guests", "react_aria?page=numbers",
        [Fill({field("Guests"): "6", slider("Opacity"): "45"})],
        "state.guests == 6 && state.opacity == 45",
    ),
    Task(
        "set an amount and a slider", "antd?page=values",
        [Fill({Element("spinbutton", "Amount"): "250", slider("Loudness"): "65"})],
        "state.amount == 250 && state.loudness == 65",
    ),
    Task(
        "fill in a one-time code", "antd?page=values",
        [Fill({field("OTP Input 1"): "4711"})],
        "state.code == '4711'",
    ),
    Task(
        "rate, switch on and choose a segment", "antd?page=values",
        [
            Click(Element("radio", "star star", nth=3)), Click(Element("switch", "Wi-Fi")),
            Click(Element("radio", "Weekly")),
        ],
        "state.rate == 4 && state.on && state.period == 'Weekly'",
    ),
    Task(
        "set a slider, switch on and rate", "quasar?page=values",
        [
            Fill({slider("Level"): "64"}), Click(Element("switch", "Night mode")),
            Click(Element("radio", "grade 4")),
        ],
        "state.level == 64 && state.on && state.stars == 4",
    ),
    Task(
        "set a range to 30 to 80", "quasar?page=values",
        [Fill({slider("Minimum"): "30", slider("Maximum"): "80"})],
        "state.band.min == 30 && state.band.max == 80",
    ),
    Task(
        "fill in a mask and a code", "primevue?page=values",
        [Fill({field("Phone"): "(555) 123-4567", field("", nth=0): "8264"})],
        "state.phone == '(555) 123-4567' && state.code == '8264'",
    ),
    Task(
        "rate and set a slider", "primevue?page=values",
        [Click(Element("radio", "4 stars")), Fill({slider("Level"): "40"})],
        "state.stars == 4 && state.level == 40",
    ),
    Task(
        "set a slider, rate and choose a size", "shoelace?page=values",
        [
            Fill({slider("Zoom"): "75"}), Fill({slider("Score"): "4"}),
            Click(Element("radio", "Large")),
        ],
        "state.zoom == 75 && state.score == 4 && state.size == 'l'",
    ),
    Task(
        "fill in a form", "shoelace?page=form",
        [
            Fill({field("Email"): "ada@example.org", field("Comment"): "two words"}),
            Click(Element("checkbox", "Agree")), Click(Element("switch", "Alerts")),
        ],
        "state.email == 'ada@example.org' && state.comment == 'two words'"
        " && state.agree && state.alerts",
    ),
    Task(
        "fill in a form", "webawesome?page=form",
        [
            Fill({field("Name"): "Ada", slider("Speed"): "80", slider("Score"): "3"}),
            Click(Element("switch", "Updates")), Click(Element("radio", "Large")),
        ],
        "state.name == 'Ada' && state.speed == 80 && state.score == 3 && state.on"
        " && state.size == 'l'",
    ),
    Task(
        "fill in a hexadecimal colour", "colors?page=colorful",
        [Fill({field("Colour"): "00ff88"})],
        "state.color == '#00ff88'",
    ),
    Task(
        "set the hue", "colors?page=colorful",
        [Fill({slider("Hue"): "120"})],
        "/#33aa3[34]/.test(state.color)",
        refused="is 127, not 120",
    ),
    Task(
        "choose a colour and save it", "colors?page=pickr",
        [
            Click(button("toggle color picker dialog")),
            Fill({field("color input field"): "#123456"}), Keys(["Enter"]), Click(button("Save")),
        ],
        "state.color == '#123456'",
    ),
    Task(
        "fill in a one-time code", "input_otp",
        [Fill({field("One-time code"): "123456"})],
        "state.code == '123456'",
    ),
    Task(
        "fill in masked fields", "imask",
        [
            Fill({
                field("Phone"): "1701234567", field("Amount"): "1234.5",
                field("Expiry date"): "1127",
            }),
        ],
        "state.phone == '491701234567' && state.amount == 1234.5 && state.expiry == '11/27'",
    ),
    Task(
        "toggle and switch", "radix?page=toggles",
        [
            Click(Element("switch", "Aeroplane mode")), Click(button("Bold")),
            Click(button("Underline")),
        ],
        "state.mode && state.styles.join() == 'Bold,Underline'",
    ),
    Task(
        "checkbox, switch, toggle button and page", "mui?page=work",
        [
            Fill({Element("checkbox", "Agree"): True}),
            Fill({Element("switch", "Dark mode"): True}),
            Click(button("Right aligned")), Click(button("Go to page 5")),
        ],
        "state.agree && state.dark && state.align == 'right' && state.page == 5",
    ),
    Task(
        "upload a file", "dropzone",
        [Upload(text("Drop files here"), "report.txt")],
        "state.files.join() == 'report.txt'",
    ),
    Task(
        "upload a file", "filepond",
        [Upload(text("Drag & Drop your files or Browse"), "photo.txt")],
        "state.files.join() == 'photo.txt'",
    ),
)  # fmt: skip
