"""A person's turn in a tab, on a fake browser."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from charlotte.actors.dispatcher import Call, TabHandle, open_target
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.takeovers import Takeover
from charlotte.actors.tab.actor import Look
from charlotte.actors.tab.verbs.takeover import perform_input
from charlotte.base.errors import CharlotteError, PersonHasTab, SessionProblem, TabCrashed
from charlotte.protocol.input import InsertText
from charlotte.secrets.redaction import Secrets
from tests.actors.stage import Stage
from tests.fake_page import Sent
from tests.fakes import AS_USUAL


@attrs.define(eq=False)
class Turn:
    """A turn, and the outcome of its call."""

    takeover: Takeover
    looks: list[Look] = attrs.field(factory=list[Look])
    errors: list[CharlotteError] = attrs.field(factory=list[CharlotteError])
    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope)

    async def run(self, stage: Stage) -> None:
        call = Call(tool="ask_person", actor=TabHandle, deadline=100.0, tab_id=self.takeover.tab_id)
        with self.scope:
            async with open_target(stage.session, call) as target:
                assert isinstance(target, TabHandle)
                try:
                    self.looks.append(await target.hand_over(self.takeover))
                except CharlotteError as error:
                    self.errors.append(error)


@asynccontextmanager
async def begun(stage: Stage, record: TabRecord, seconds: float = 60) -> AsyncGenerator[Turn]:
    turn = Turn(Takeover(record.id, "Log in", seconds))
    with trio.fail_after(200):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(turn.run, stage)
            while not turn.takeover.has_begun:  # noqa: ASYNC110 - no event
                await trio.sleep(0.1)
            yield turn


def inputs(stage: Stage) -> list[Any]:
    return [sent.params["text"] for sent in stage.browser.received("Input.insertText")]


async def test_input_is_served_in_order_during_the_turn(stage: Stage, record: TabRecord) -> None:
    async with begun(stage, record) as turn:
        for text in "abc":
            await turn.takeover.inputs.ask(perform_input, [InsertText(text=text)], may_submit=False)
        assert [*"abc"] == inputs(stage)
        turn.takeover.end("done")
    with pytest.raises(SessionProblem, match="has ended"):
        await turn.takeover.inputs.ask(perform_input, [InsertText(text="d")], may_submit=False)
    assert [*"abc"] == inputs(stage)
    assert 1 == len(turn.looks)


async def test_tabs_that_may_script_it_are_refused_too(stage: Stage, record: TabRecord) -> None:
    opened, free, other = [await stage.open_tab() for _ in range(3)]
    for tab, noopener in ((opened, False), (free, True)):
        tab.opener, tab.noopener = record, noopener
    grandchild = await stage.open_tab()
    grandchild.opener = opened
    async with begun(stage, grandchild) as turn:
        for tab in (record, opened, grandchild):
            with pytest.raises(PersonHasTab, match=grandchild.id):
                tab.tab.check_free()
        for tab in (free, other):
            tab.tab.check_free()
        turn.takeover.end("done")


@pytest.mark.parametrize("how", ["cancelled", "crashed", "timeout"])
async def test_the_end_of_a_turn_frees_the_tab(stage: Stage, record: TabRecord, how: str) -> None:
    async with begun(stage, record) as turn:
        match how:
            case "cancelled":
                turn.scope.cancel()
            case "crashed":
                stage.browser.crash(stage.target(record))
            case _:
                await trio.sleep(61)
    expected = "timeout" if how == "timeout" else "withdrawn"
    assert expected == turn.takeover.ending
    assert [TabCrashed] * (how == "crashed") == [type(error) for error in turn.errors]
    assert record.takeover is None
    record.tab.check_free()


async def test_private_values_are_redacted_before_a_submit(stage: Stage, record: TabRecord) -> None:
    secrets = record.session.settings.secrets = Secrets.of({})
    values = ["hush-hush", "abc"]

    def answer(sent: Sent) -> dict[str, Any]:
        if "cc-number" not in sent.params["expression"]:
            return AS_USUAL
        return {"result": {"type": "string", "value": json.dumps(values)}}

    stage.browser.on["Runtime.evaluate"] = answer
    async with begun(stage, record) as turn:
        ask = turn.takeover.inputs.ask
        await ask(perform_input, [InsertText(text="x")], may_submit=False)
        assert "hush-hush" == secrets.hidden("hush-hush")
        await ask(perform_input, [InsertText(text="y")], may_submit=True)
        assert "<secret>login person</secret> abc" == secrets.hidden("hush-hush abc")
        values[:] = ["another-one"]
        turn.takeover.end("done")
    assert "<secret>login person</secret>" == secrets.hidden("another-one")


async def test_pictures_are_sent_from_the_first_viewer_on(stage: Stage, record: TabRecord) -> None:
    target = stage.target(record)

    def picture(number: int) -> None:
        metadata = {"deviceWidth": 800, "deviceHeight": 600, "offsetTop": 0}
        stage.browser.emit_in(
            target,
            "Page.screencastFrame",
            data=f"jpeg-{number}",
            metadata=metadata,
            sessionId=number,
        )

    def acknowledged() -> list[int]:
        sent = stage.browser.received("Page.screencastFrameAck")
        return [one.params["sessionId"] for one in sent]

    async with begun(stage, record) as turn:
        await trio.sleep(5)
        starts = stage.browser.received("Page.startScreencast")
        assert [1] == [one.params["maxWidth"] for one in starts]
        async with trio.open_nursery() as nursery:
            frames: list[Any] = []

            async def view() -> None:
                takeover = turn.takeover
                frames.extend([await takeover.next_frame(takeover.frames) for _ in range(2)])

            nursery.start_soon(view)
            await stage.browser.until_sent("Page.startScreencast", 2)
            picture(1)
            await wait_all_tasks_blocked()
            assert [1] == acknowledged()
            picture(2)
        picture(3)
        await wait_all_tasks_blocked()
        assert [1, 2, 3] == acknowledged()
        assert ["jpeg-1", "jpeg-2"] == [frame.data for frame in frames]
        turn.takeover.end("done")
    assert await turn.takeover.next_frame(0) is None
    await wait_all_tasks_blocked()
    starts, stops = map(stage.browser.received, ("Page.startScreencast", "Page.stopScreencast"))
    assert len(starts) == len(stops)
