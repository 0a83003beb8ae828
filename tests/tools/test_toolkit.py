"""The tools as typed methods with the same names, parameters and defaults."""

import inspect
import pydoc
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar, assert_type

import attrs
import pytest

from charlotte.actors.state.events import PendingDialog
from charlotte.answers.answer import Answer, Page, Text
from charlotte.base.errors import SessionProblem
from charlotte.tools.filling import Field
from charlotte.tools.schema.tool import Tool
from charlotte.tools.toolkit import CATALOG, PageMethods, SessionMethods, Tab

R = TypeVar("R")

LISTED = [tool for tool in CATALOG if not tool.hidden]
PAGE = Page(tab_id="tab-1", url="about:blank", title="", answer_text="{}")


@attrs.define
class Noting(SessionMethods):
    """A session that only records calls."""

    asked: list[tuple[str, Mapping[str, Any]]] = attrs.field(factory=list[Any])
    answer: Answer = attrs.field(default=Answer((), value=PAGE))

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        tool.parse(dict(arguments))
        self.asked.append((tool.name, arguments))
        return tool.value_of(self.answer)


@pytest.mark.parametrize("tool", LISTED, ids=lambda tool: tool.name)
def test_each_tool_is_a_method_with_the_same_name_parameters_and_defaults(tool: Tool) -> None:
    method = getattr(Noting(), tool.name)
    _, *parameters = inspect.signature(tool.handler).parameters.values()
    shown = inspect.signature(method).parameters.values()

    assert [(one.name, one.default, one.kind) for one in parameters] == [
        (one.name, one.default, one.kind) for one in shown
    ]
    assert method.__doc__.startswith(tool.description)
    assert tool.tab <= hasattr(PageMethods, tool.name)


@pytest.mark.parametrize("tool", LISTED, ids=lambda tool: tool.name)
def test_each_tool_declares_its_return_type(tool: Tool) -> None:
    assert tool.returns is not Any


@pytest.mark.parametrize("tool", LISTED, ids=lambda tool: tool.name)
def test_the_class_documents_each_method_with_its_parameters(tool: Tool) -> None:
    function = getattr(SessionMethods, tool.name)
    first, *_ = inspect.signature(function).parameters.values()

    assert inspect.isfunction(function)
    assert first.name == "self"
    assert inspect.signature(function).return_annotation == tool.returns
    text = pydoc.plain(pydoc.render_doc(function))
    assert tool.description.split()[0] in text


async def test_a_tab_passes_its_id_in_every_call() -> None:
    session = Noting()
    tab = await session.open_tab("about:blank")

    assert_type(tab, Tab)
    assert_type(await tab.click("btn-0001", click_type="double"), Page)
    await tab.dialog(accept=True)
    await tab.activate()

    assert [
        ("tab_open", {"url": "about:blank", "detail": "minimal"}),
        ("click", {"element_id": "btn-0001", "click_type": "double", "tab_id": "tab-1"}),
        ("dialog", {"accept": True, "tab_id": "tab-1"}),
        ("tab_switch", {"detail": "minimal", "tab_id": "tab-1"}),
    ] == session.asked


async def test_objects_and_paths_are_passed_as_json() -> None:
    session = Noting()

    await session.fill_form([Field("inp-0001", "Ada"), Field("chk-0001", value=True)], submit=True)
    await session.upload("inp-0002", [str(Path("a.txt"))])

    assert [
        {"element_id": "inp-0001", "value": "Ada"},
        {"element_id": "chk-0001", "value": True},
    ] == session.asked[0][1]["fields"]
    assert ["a.txt"] == session.asked[1][1]["paths"]


async def test_unknown_arguments_of_a_method_cause_no_call() -> None:
    session = Noting()

    with pytest.raises(TypeError, match="nonsense"):
        await session.click("btn-0001", nonsense=1)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]

    assert [] == session.asked


async def test_a_dialog_instead_of_a_value_is_an_error_that_quotes_it() -> None:
    blocked = attrs.evolve(PAGE, dialog=PendingDialog("alert", "Stop", ""))
    session = Noting(answer=Answer((Text('{"pending_dialog":"Stop"}'),), value=blocked))

    with pytest.raises(SessionProblem, match="Stop"):
        await session.evaluate("alert('Stop')")
    assert blocked is await session.click("btn-0001")
