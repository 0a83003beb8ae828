"""Audits by an engine that may not come to an end."""

import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from trio.testing import MockClock

from charlotte.actors.dev_audit import Audit, audit
from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.session import AgentSession
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import Tab
from charlotte.dev.audits.axe import axe_source
from tests.actors.stage import Stage
from tests.browser.stage import in_json
from tests.fake_page import Sent
from tests.fakes import AS_USUAL

IMAGE = {"nid": 1, "tag": "img"}


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """A package with axe-core beside those that are installed."""
    package = tmp_path / "axe_core_python"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "axe.min.js").write_text("engine")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    axe_source.cache_clear()
    yield
    axe_source.cache_clear()


@pytest.mark.usefixtures("engine")
async def test_the_built_in_checks_are_made_when_axe_does_not_come_to_an_end(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    def answer(sent: Sent) -> dict[str, Any] | None:
        asked = sent.params["expression"]
        if asked.startswith("engine"):
            return None
        if "charlotte.parts" not in asked:
            return AS_USUAL
        return in_json({"url": "http://shop.test/", "elements": [IMAGE]})

    stage.browser.on["Runtime.evaluate"] = answer

    session = AgentSession(record.session, Mailbox("browser"), Mailbox("watcher"))

    async def audited(tab: Tab) -> Audit:
        return await audit(tab, session, ["a11y"])

    made = await record.tab.ask(audited)

    assert "image-alt" in [one.check for one in made.findings]
    assert made.notes == ["axe-core did not finish in time; the built-in checks were made."]
    assert stage.browser.received("Runtime.terminateExecution")
