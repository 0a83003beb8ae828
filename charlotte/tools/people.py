"""The tool that hands a tab to a person: ask_person."""

from typing import Annotated

import structlog

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.state.events import TakeoverChanged
from charlotte.actors.state.takeovers import Takeover
from charlotte.answers.answer import Answer, Page
from charlotte.answers.pages import dialog_answer, page_answer
from charlotte.base.errors import SessionProblem
from charlotte.base.progress import stage
from charlotte.tools.schema.arguments import Limits, RareDetail
from charlotte.tools.schema.tool import action_tool

_LONGEST_MS = 3_600_000

log = structlog.get_logger(__name__)


@action_tool(
    title="Ask a person",
    position=460,
    deadline=_LONGEST_MS / 1000 + 60,
    needs="dashboard",
    blocked=dialog_answer,
)
async def ask_person(
    tab: TabHandle,
    what: Annotated[
        str, Limits(min_length=1, max_length=1_000), "What the person should do there."
    ],
    *,
    timeout: Annotated[
        int, Limits(minimum=1_000, maximum=_LONGEST_MS), "Time limit in ms."
    ] = 300_000,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Hand the tab to a person on the dashboard (captcha, login, payment); return what changed.

    Calls on the tab fail meanwhile. `person` reports how it ended: done, cannot or timeout.
    """
    record = tab.record
    if not record.session.settings.config.dashboard:
        raise SessionProblem(
            "No person can be asked: there is no dashboard.",
            "Ask the user in your own answer. Charlotte has a dashboard if started with "
            "--dashboard.",
        )
    if record.context.is_owner_profile:
        raise SessionProblem(
            f"{record.id} is in the user's own browser.",
            "Ask the user to do it there, then call wait_for.",
        )
    takeover = Takeover(record.id, what, timeout / 1000)
    log.warning("a person is asked", tab=record.id, session=record.session.id, what=what)
    record.publish(TakeoverChanged(tab_id=record.id, what=what, ending=None))
    stage("waiting for a person on the dashboard")
    try:
        look = await tab.hand_over(takeover)
    finally:
        ending = takeover.ending or "withdrawn"
        log.warning("the turn of a person ended", tab=record.id, ending=ending)
        record.publish(TakeoverChanged(tab_id=record.id, what=what, ending=ending))
    person = {"ended": ending, **({"reason": takeover.reason} if takeover.reason else {})}
    return page_answer(record, look, detail, extras={"person": person})
