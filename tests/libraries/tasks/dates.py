"""Calendars, dates and times."""

from typing import Final

from tests.libraries.steps import (
    By,
    Choose,
    Click,
    Drag,
    Element,
    Fill,
    Keys,
    Place,
    Task,
    Write,
    button,
    combobox,
    field,
    text,
)


def _day(name: str) -> Element:
    return text(name)


TASKS: Final = (
    Task("move an event two hours later and two days on", "fullcalendar?page=work",
         [Drag(text("10:00 Meeting 0"), By(x=2 * 172, y=100))],
         "state.start['Meeting 0'].slice(0, 10) == '2026-03-12'"),
    Task("open an event", "fullcalendar?page=work",
         [Click(text("11:00 Meeting 1"))],
         "state.event == 'Meeting 1'"),
    Task("select an empty slot with the mouse", "fullcalendar?page=work",
         [Drag(Place(300, 350), Place(300, 420))],
         "state.slot?.[0].startsWith('2026-03-09')"),
    Task("month view, press a day", "fullcalendar?page=edit",
         [Click(button("Next month")), Click(text("15"))],
         "state.day == '2026-04-15'"),
    Task("move an event to another day", "fullcalendar?page=edit",
         [Drag(text("10a Meeting 0"), text("19"))],
         "state.start['Meeting 0'].slice(0, 10) == '2026-03-19'"),
    Task("choose a range of days", "flatpickr?page=range",
         [Click(field("Date")), Click(_day("March 17, 2026")), Click(_day("March 20, 2026"))],
         "state.dates.map((date) => date.slice(0, 10)).join() == '2026-03-17,2026-03-20'"),
    Task("choose a day and a time", "flatpickr?page=time",
         [
             Click(field("Date")), Click(_day("March 18, 2026")),
             Fill({Element("spinbutton", "Hour"): "3", Element("spinbutton", "Minute"): "45"}),
             Keys(["Enter"]),
         ],
         "state.dates[0].slice(0, 10) == '2026-03-18' && state.dates[0].endsWith(':45')"),
    Task("choose a day of the next month", "flatpickr?page=inline",
         [Choose(combobox("Month"), ["April"]), Click(_day("April 9, 2026"))],
         "state.dates[0].startsWith('2026-04-09')"),
    Task("fill in a date by its segments", "mui_x?page=pickers",
         [Fill({Element("group", "Arrival"): "2026-09-17"})],
         "state.arrival == '2026-09-17'"),
    Task("change a date in the calendar", "mui_x?page=pickers",
         [
             Click(button("Choose date, selected date is Mar 10, 2026")),
             Click(Element("gridcell", "20")),
         ],
         "state.departure == '2026-03-20'"),
    Task("fill in a time", "mui_x?page=pickers",
         [Fill({Element("group", "Alarm"): "07:45"})],
         "state.alarm == '07:45'"),
    Task("fill in a date and a time", "mui_x?page=pickers",
         [Fill({Element("group", "Meeting"): "2026-09-17 14:30"})],
         "state.meeting == '2026-09-17 14:30'"),
    Task("fill in a date by its segments", "react_aria?page=date",
         [Fill({Element("group", "Birth date"): "1990-07-24"})],
         "state.date == '1990-07-24'"),
    Task("fill in one segment after the other", "react_aria?page=date",
         [Fill({
             Element("spinbutton", "month, Birth date"): "7",
             Element("spinbutton", "day, Birth date"): "24",
             Element("spinbutton", "year, Birth date"): "1990",
         })],
         "state.date == '1990-07-24'"),
    Task(
        "set a time", "react_aria?page=date",
        [Fill({
            Element("spinbutton", "hour, Alarm"): "6", Element("spinbutton", "minute, Alarm"): "30",
        })],
        "state.time == '06:30:00'",
    ),
    Task("choose a day in the calendar", "react_aria?page=picker",
         [Click(button("Calendar Departure")), Click(button("Friday, March 20, 2026"))],
         "state.date == '2026-03-20'"),
    Task("type a date", "antd?page=dates",
         [Click(field("Date")), Write("2026-09-17", enter=True)],
         "state.date == '2026-09-17'"),
    Task("type a period", "antd?page=dates",
         [
             Click(field("Period")), Write("2026-09-17", enter=True),
             Write("2026-09-20", enter=True),
         ],
         "state.period.join() == '2026-09-17,2026-09-20'"),
    Task("choose a day in the popup", "quasar?page=date",
         [Click(button("Choose a day")), Click(button("17"))],
         "state.date == '2026/03/17'"),
)  # fmt: skip
