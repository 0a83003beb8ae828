"""Sites of dev_serve: their sessions, the tabs they reload, and their audits."""

from pathlib import Path
from typing import Any

import attrs
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors import dev_server as sites
from charlotte.actors.dev_audit import Audit, audit
from charlotte.actors.dev_server import bind, port_of
from charlotte.actors.dispatcher import AgentSession
from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.sites import Edit, SiteRecord
from charlotte.actors.tab.actor import TabActor
from charlotte.base.errors import SessionProblem
from charlotte.dev.changes import OnChange
from tests.actors.stage import Stage
from tests.browser.stage import in_json
from tests.fake_page import Sent
from tests.fakes import AS_USUAL


@attrs.define(eq=False)
class Disk:
    """Stands in for the file system: what changes is what the test says."""

    watched: list[Path] = attrs.field(factory=list[Path])
    polled: list[Path] = attrs.field(factory=list[Path])
    changed: trio.MemorySendChannel[tuple[str, ...]] = attrs.field(init=False)
    error: type[Exception] | None = None

    async def follow(self, root: Path, report: OnChange, *, poll: bool) -> None:
        (self.polled if poll else self.watched).append(root)
        self.changed, moments = trio.open_memory_channel[tuple[str, ...]](10)
        async for files in moments:
            await report(files)
            if self.error is not None:
                raise self.error

    async def change(self, *files: str) -> None:
        self.changed.send_nowait(files)
        await wait_all_tasks_blocked()


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    disk = Disk()
    monkeypatch.setattr(sites, "follow_changes", disk.follow)
    return disk


@pytest.fixture
async def site(stage: Stage, disk: Disk, tmp_path: Path) -> SiteRecord:
    site = SiteRecord(tmp_path)
    await stage.session.serve(site)
    await wait_all_tasks_blocked()
    return site


async def showing(stage: Stage, url: str) -> TabRecord:
    return await stage.open_tab(url)


def reloads(stage: Stage, record: TabRecord) -> int:
    assert record.control is not None
    control = record.control.id
    return [one.session for one in stage.browser.received("Page.reload")].count(control)


@pytest.mark.req("C-DEV-03", "C-DEV-05")
async def test_a_change_reloads_the_tabs_that_show_the_site_and_no_other(
    clock: MockClock, stage: Stage, disk: Disk, site: SiteRecord
) -> None:
    shown = await showing(stage, f"{site.url}page.html")
    local = await showing(stage, f"http://localhost:{site.port}/")
    other = await showing(stage, "http://127.0.0.1:1/")
    abroad = await showing(stage, f"http://shop.test:{site.port}/")

    await disk.change("a.css")

    assert [reloads(stage, tab) for tab in (shown, local, other, abroad)] == [1, 1, 0, 0]
    assert [edit.files for edit in shown.news.unread(Edit)] == [("a.css",)]
    assert other.news.added == 0


async def test_a_hung_script_is_ended_by_a_change(
    clock: MockClock, stage: Stage, disk: Disk, site: SiteRecord
) -> None:
    tab = await showing(stage, site.url)
    tab.hung = True

    await disk.change("loop.js")

    assert stage.browser.received("Runtime.terminateExecution")
    assert reloads(stage, tab) == 1


async def test_sites_outlive_the_browser(
    clock: MockClock, stage: Stage, disk: Disk, site: SiteRecord
) -> None:
    tab = await showing(stage, site.url)
    stage.browser.drop()
    await trio.sleep(10)

    await disk.change("a.css")

    assert len(stage.lives) == 2
    assert [edit.files for edit in tab.news.unread(Edit)] == [("a.css",)]
    assert disk.watched == [site.root]


async def test_sites_outlive_a_crash_of_the_watcher(
    clock: MockClock, stage: Stage, disk: Disk, site: SiteRecord
) -> None:
    port, disk.error = site.port, RuntimeError
    await disk.change("a.css")
    disk.error = None
    await trio.sleep(10)

    assert disk.watched == [site.root] * 2
    assert site.port == port
    with pytest.raises(OSError, match="in use"):
        bind(port)


async def test_a_site_whose_directory_is_gone_is_still_served(
    clock: MockClock, disk: Disk, site: SiteRecord
) -> None:
    disk.error = FileNotFoundError
    await disk.change("a.css")
    await trio.sleep(10)

    assert disk.watched == [site.root]
    with pytest.raises(OSError, match="in use"):
        bind(site.port)


@pytest.mark.req("C-DEV-02")
async def test_a_port_that_is_taken_is_said_to_be(
    clock: MockClock, stage: Stage, tmp_path: Path
) -> None:
    with bind() as listener:
        port = port_of(listener)
        with pytest.raises(SessionProblem, match=f"Port {port} of 127.0.0.1 cannot be taken"):
            await stage.session.serve(SiteRecord(tmp_path, port, watch=False))
    assert stage.record.sites == {}
    await stage.session.serve(SiteRecord(tmp_path, port, watch=False))
    assert stage.record.sites[tmp_path].port == port


@pytest.mark.req("C-DEV-03", "C-DEV-04")
async def test_a_directory_that_is_served_again_keeps_its_port_and_is_watched_as_said(
    clock: MockClock, stage: Stage, disk: Disk, site: SiteRecord
) -> None:
    for watch, polled in ((False, []), (True, [site.root])):
        again = SiteRecord(site.root, watch=watch, poll=True)
        await stage.session.serve(again)
        await wait_all_tasks_blocked()
        assert again.port == site.port
        assert stage.record.sites == {site.root: again}
        assert (disk.watched, disk.polled) == ([site.root], polled)


async def test_the_end_of_a_session_ends_its_sites(
    clock: MockClock, stage: Stage, site: SiteRecord
) -> None:
    await stage.close_session(stage.record)
    await wait_all_tasks_blocked()
    bind(site.port).close()


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
