"""What stands for the name of a control that has only an icon."""

import pytest

from tests.browser.probe.rows import only
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

DRAWING = "<path d='M0 0h9v9z'/>"
BOX = "style='display:inline-block;width:16px;height:16px'"


def svg(inside: str = DRAWING, attributes: str = "aria-hidden=true") -> str:
    return f"<svg width=16 height=16 {attributes}>{inside}</svg>"


async def test_the_icon_of_a_nameless_button_is_read(page: RawPage) -> None:
    for inside, icon in [
        (svg("<title>Settings</title>" + DRAWING), "Settings"),
        (svg("<use href='#icon-trash'></use>"), "trash"),
        (svg("<use xlink:href='/sprite.svg#chevron_right_24px'></use>"), "chevron right"),
        (svg("<use href='/icons/pencil.svg'></use>"), "pencil"),
        (svg(attributes="data-testid=DeleteOutlineIcon"), "delete"),
        (svg(attributes="data-icon='magnifying-glass' class='svg-inline--x'"), "magnifying glass"),
        (svg(attributes="class='feather feather-x'"), "x"),
        ("<i class='fa fa-trash'></i>", "trash"),
        ("<i class='fa-solid fa-floppy-disk fa-2x'></i>", "floppy disk"),
        ("<span class='mdi mdi-pencil-outline'></span>", "pencil"),
        ("<span class='el-icon-download'></span>", "download"),
        ("<i class='ri-delete-bin-line'></i>", "delete bin"),
        ("<x-icon name='calendar-outline'></x-icon>", "calendar"),
        (f"<img alt='' {BOX} src='/icons/Save-as.3fa9b2.svg'>", "save as"),
        ("&#xf0c7;<i class='icon-save'></i>", "save"),
    ]:
        row = await only(page, f"<button>{inside}</button>")
        assert (row.name, row.extra.get("icon")) == ("", icon), inside


async def test_the_classes_of_a_button_may_name_its_icon(page: RawPage) -> None:
    for classes, icon in [
        ("btn icon-close", "close"),
        ("fa fa-bars", "bars"),
        ("btn btn-close", "close"),
        # of styles, utilities, generated names, and parts of components:
        ("calendar-prev-month", None),
        ("btn btn-primary btn-lg", None),
        ("calendar-center calendar-start p-2 rounded flex-col", None),
        ("calendar-gKsecS", None),
        ("calendar-1x2y3z", None),
        ("toolbar-next", None),
        ("icon-24", None),
        ("border border-gray w-4 text-sm text-muted", None),
    ]:
        html = f"<div class=calendar-head><p><button class='{classes}'></button></p></div>"
        assert (await only(page, html)).extra.get("icon") == icon, classes


async def test_the_name_for_tests_stands_for_that_of_an_icon(page: RawPage) -> None:
    for attributes, icon in [
        ("data-testid=main-menu-trigger", "main menu trigger"),
        ("data-cy=save_draft", "save draft"),
        ("data-testid=button", None),
        ("data-testid=x1y2z3", None),
        ("data-testid=main-menu-trigger class=icon-bars", "bars"),
    ]:
        assert (await only(page, f"<button {attributes}>{svg()}</button>")).extra.get(
            "icon"
        ) == icon, attributes


async def test_a_clickable_box_has_the_name_of_its_icon(page: RawPage) -> None:
    row = await only(page, f"<p>a</p><div onclick=f()>{svg('<use href=#play></use>')}</div>")
    assert (row.kind, row.name, row.extra["icon"]) == ("c", "", "play")


async def test_a_name_is_never_replaced_by_that_of_an_icon(page: RawPage) -> None:
    for markup in [
        "<button>Save<i class='fa fa-save'></i></button>",
        "<button aria-label=Save><i class='fa fa-save'></i></button>",
        "<button title=Save><i class='fa fa-save'></i></button>",
        "<button><img alt=Save src=/disk.png width=9 height=9></button>",
    ]:
        row = await only(page, markup)
        assert (row.name, row.extra.get("icon")) == ("Save", None), markup


async def test_a_field_has_no_icon(page: RawPage) -> None:
    assert "icon" not in (await only(page, "<input class='icon-search'>")).extra


async def test_a_tooltip_is_the_title_of_a_nameless_button(page: RawPage) -> None:
    for markup, tip in [
        (
            "<button aria-describedby=t></button><p id=t role=tooltip hidden>Undo typing</p>",
            "Undo typing",
        ),
        ("<button aria-description='Undo typing'></button>", "Undo typing"),
        ("<button data-tooltip='Undo typing'></button>", "Undo typing"),
        ("<button data-original-title='Undo typing'></button>", "Undo typing"),
        ("<button data-tooltip=top data-tooltip-text='Undo typing'></button>", "Undo typing"),
        ("<button data-tooltip></button>", None),
        ("<button data-title='{&quot;a&quot;: 1}'></button>", None),
        ("<button data-tooltip=No>Yes</button>", None),
    ]:
        row = await only(page, markup)
        assert row.extra.get("title") == tip, markup
