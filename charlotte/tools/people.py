"""The tool that hands a tab to a person: ask_person."""

from collections.abc import Mapping
from typing import Annotated, Any

import attrs
import structlog

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.state.events import TakeoverChanged
from charlotte.actors.state.takeovers import Takeover
from charlotte.actors.tab.wait_for import State, WaitConditions
from charlotte.errors import InvalidArgument, SessionProblem
from charlotte.page.model import compact_json
from charlotte.progress import stage
from charlotte.tools.answer import Answer, Page
from charlotte.tools.pages import dialog_answer, page_answer
from charlotte.tools.schema.arguments import ElementId, Limits, RareDetail
from charlotte.tools.schema.tool import tool

_LONGEST_MS = 3_600_000
_LONGEST_REQUEST = 1_000

log = structlog.get_logger(__name__)


@attrs.frozen(kw_only=True)
class Until:
    """Conditions that end the turn of a person when all hold."""

    element_id: Annotated[ElementId | None, "Id of an element."] = None
    state: Annotated[State | None, "Its state. Default: exists."] = None
    text: Annotated[str | None, "Text on the page."] = None
    text_gone: Annotated[str | None, "Text not on the page."] = None
    selector: Annotated[str | None, "CSS selector that matches."] = None
    js: Annotated[str | None, "JavaScript that is true."] = None

    @property
    def conditions(self) -> WaitConditions:
        """The conditions as those of wait_for."""
        given = attrs.asdict(self, filter=lambda _, value: value is not None)
        return WaitConditions(**given)


def _check_until(arguments: Mapping[str, Any]) -> None:
    until: Until | None = arguments["until"]
    if until is not None and not any(attrs.astuple(attrs.evolve(until, state=None))):
        raise InvalidArgument(
            "until needs at least one condition.",
            "Pass element_id (with state), text, text_gone, selector or js, or omit until.",
        )


@tool(
    group="interaction",
    title="Ask a person",
    destructive=True,
    position=460,
    deadline=_LONGEST_MS / 1000 + 60,
    needs="dashboard",
    blocked=dialog_answer,
    check=_check_until,
)
async def ask_person(
    tab: TabHandle,
    what: Annotated[
        str, Limits(min_length=1, max_length=_LONGEST_REQUEST), "What the person should do there."
    ],
    *,
    until: Annotated[Until | None, "Ends the turn when all hold."] = None,
    timeout: Annotated[
        int, Limits(minimum=1_000, maximum=_LONGEST_MS), "Time limit in ms."
    ] = 300_000,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Hand the tab to a person on the dashboard (captcha, login, payment); return what changed.

    Calls on the tab fail meanwhile. `person` reports how it ended: done, cannot, until or timeout.
    """
    record = tab.record
    if not record.session.settings.has_dashboard:
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
    described = compact_json(attrs.asdict(until, filter=lambda _, value: value)) if until else ""
    takeover = Takeover(record.id, what, timeout / 1000, described)
    log.warning("a person is asked", tab=record.id, session=record.session.id, what=what)
    record.publish(TakeoverChanged(tab_id=record.id, what=what, ending=None))
    stage("waiting for a person on the dashboard")
    try:
        look = await tab.hand_over(takeover, until.conditions if until else None)
    finally:
        ending = takeover.ending or "withdrawn"
        log.warning("the turn of a person ended", tab=record.id, ending=ending)
        record.publish(TakeoverChanged(tab_id=record.id, what=what, ending=ending))
    person = {"ended": ending, **({"reason": takeover.reason} if takeover.reason else {})}
    return page_answer(record, look, detail, extras={"person": person})
