"""Audits by an engine that does not finish."""

from typing import Any

from trio.testing import MockClock

from charlotte.actors.dev_audit import Audit, audit
from charlotte.actors.dispatcher import AgentSession
from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import TabActor
from tests.actors.stage import Stage
from tests.browser.stage import in_json
from tests.fake_page import Sent
from tests.fakes import AS_USUAL


async def test_the_other_checks_are_made_when_axe_does_not_finish(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    def answer(sent: Sent) -> dict[str, Any] | None:
        expression = sent.params["expression"]
        if expression.startswith("/*! axe"):
            return None
        if "charlotte.parts" not in expression:
            return AS_USUAL
        return in_json({"url": "http://shop.test/", "elements": []})

    stage.browser.on["Runtime.evaluate"] = answer

    session = AgentSession(record.session, Mailbox("browser"), Mailbox("watcher"))

    async def audited(tab: TabActor) -> Audit:
        return await audit(tab, session, ["a11y", "seo"])

    made = await record.tab.ask(audited)

    assert "title" in [one.check for one in made.findings]
    assert made.notes == ["axe-core did not finish in time: a11y was not checked."]
    assert stage.browser.received("Runtime.terminateExecution")
