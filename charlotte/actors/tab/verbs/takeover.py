"""A person's turn in a tab: pictures to the dashboard, mouse and keyboard from there."""

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

import trio

from charlotte.actors.state.takeovers import Takeover
from charlotte.actors.tab.actor import BlockedByDialog, Look, TabActor
from charlotte.base.errors import ConnectionLost, SessionProblem
from charlotte.browser.world.settle import SettleResult, checkpoint
from charlotte.protocol import page
from charlotte.protocol.errors import ProtocolError, SessionGone
from charlotte.protocol.runtime import Evaluate
from charlotte.protocol.wire import Command

_PERSON = "person"
"""The name under which texts that a person has typed into password fields are redacted."""

_LEAST = 4
"""Minimum characters of a redacted text; shorter ones occur in many other texts."""


_PRIVATE_VALUES = """
(() => {
  const fields = [];
  const parts = "current-password new-password one-time-code cc-number cc-csc".split(" ");
  const visit = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) visit(element.shadowRoot);
      if (element.localName !== "input") continue;
      const names = (element.getAttribute("autocomplete") ?? "").toLowerCase().split(/\\s+/);
      const isPrivate = element.type === "password" || parts.some((part) => names.includes(part));
      if (isPrivate && element.value) fields.push(element.value);
    }
  };
  visit(document);
  return JSON.stringify(fields);
})()
"""


async def hand_over(tab: TabActor, takeover: Takeover) -> Look:
    """Let a person work in the tab until the turn ends; return the changes."""

    async def work() -> SettleResult:
        takeover.begin()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(takeover.inputs.serve, tab)
                nursery.start_soon(_send_pictures, tab, takeover)
                with trio.move_on_at(takeover.deadline):
                    await takeover.ended.wait()
                nursery.cancel_scope.cancel("the turn has ended")
        finally:
            takeover.inputs.close(SessionProblem("The turn in this tab has ended."))
        takeover.end("timeout")
        if tab.record.dialog is not None:
            raise BlockedByDialog(tab.record)
        since = checkpoint(tab.page.activity)
        await hide_private_values(tab)
        return await tab.wait_until_settled(since)

    return await tab.diff_during(work)


async def _send_pictures(tab: TabActor, takeover: Takeover) -> NoReturn:
    """Pass on the pictures from the first viewer on."""
    await takeover.watched.wait()
    with tab.frame_pump.watching() as frames, suppress(SessionGone, ConnectionLost):
        while True:
            frame = await frames.next()
            takeover.show(frame)
            await tab.page.session.begin(page.AcknowledgeFrame(session_id=frame.session_id))
    await trio.sleep_forever()  # the incarnation of the tab ends


async def perform_input(
    tab: TabActor, commands: Sequence[Command[Any]], *, may_submit: bool
) -> None:
    """Send a person's input to the page without waiting until the page has handled it.

    Before input that ``may_submit`` a form, notes what must not be shown to agents.
    """
    with suppress(ProtocolError, ConnectionLost):
        if may_submit:
            await hide_private_values(tab)
        for command in commands:
            session = tab.page.session
            if isinstance(command, page.HandleJavaScriptDialog):
                session = tab.record.control or session
            await session.begin(command)


async def hide_private_values(tab: TabActor) -> None:
    """Redact the values of fields for passwords, codes and cards in all later output."""
    secrets = tab.record.session.settings.secrets
    with suppress(ProtocolError, ConnectionLost), trio.move_on_after(0.3):
        asked = [
            await world.session.begin(
                Evaluate(expression=_PRIVATE_VALUES, unique_context_id=world.context)
            )
            for world in tab.page.frames.all()
        ]
        for pending in asked:
            with suppress(ProtocolError):
                value = (await pending.result()).result.value
                texts = [text for text in json.loads(value or "[]") if len(text) >= _LEAST]
                secrets.hide_login(_PERSON, texts)
