"""Tools for makers of a site: serve its files, try CSS and JavaScript in its pages, audit it."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, get_args

from charlotte.actors.dev_audit import Audit, audit
from charlotte.actors.dispatcher import AgentSession, TabHandle
from charlotte.actors.state.sites import SiteRecord
from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.verbs import emulation
from charlotte.answers.answer import Answer, Page
from charlotte.answers.pages import json_answer, nested_answer, page_answer
from charlotte.answers.render import build_list
from charlotte.base.errors import InvalidArgument, ellipsize
from charlotte.dev.audits.findings import Category, Finding
from charlotte.tools.schema.arguments import ChangesDetail, Limits, LoadedDetail, TabId, Uses
from charlotte.tools.schema.tool import tool
from charlotte.tools.tabs import DEADLINE, visit_url

_AUDIT_ENDS = 2_500
"""Characters reserved for the parts around the findings."""

_SHEET = """{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(%s);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""
"""A script that adds a style sheet, also to a document without elements."""

_dev_tool = partial(tool, group="dev_mode")


@_dev_tool(title="Serve a directory", position=700, tab=False, deadline=DEADLINE, uses="files")
async def dev_serve(
    session: AgentSession,
    *,
    path: Annotated[str, "Path of the directory to serve, inside the allowed directories (roots)."],
    port: Annotated[
        int | None, Limits(minimum=1, maximum=65_535), "Port to listen on. Default: any free port."
    ] = None,
    watch: Annotated[bool, "Reload the tabs that show the directory when its files change."] = True,
    poll: Annotated[
        bool, "Poll for changes, for file systems that report none, such as network drives."
    ] = False,
    stop: Annotated[bool, "Stop serving the directory, instead of starting."] = False,
    tab_id: TabId | None = None,
    detail: LoadedDetail = "auto",
) -> Answer[Page | None]:
    """Serve a directory on 127.0.0.1, open it in a tab and return its address and page.

    After an automatic reload, the next answer contains reload_event{files_changed}.
    """
    if stop:
        return await _stop_serving(session, path)
    root = session.record.settings.files.directory(path)
    if session.record.settings.files.is_hidden(root):
        raise InvalidArgument(
            f"path must not be a hidden directory or in one, got {ellipsize(path, 200)!r}.",
            "Pass a directory whose path below the root has no name that begins with a dot.",
        )
    site = SiteRecord(root, port or 0, watch, poll)
    await session.serve(site)

    record = await session.tab(tab_id)
    page = await visit_url(record, site.url, detail)
    return nested_answer({"serving": site.as_json()}, "page", page)


async def _stop_serving(session: AgentSession, path: str) -> Answer[None]:
    sites = session.record.sites
    for directory in session.record.settings.files.places(path):
        if site := sites.get(directory):
            await session.stop_serving(site)
            left = [remaining.as_json() for remaining in sites.values()]
            return json_answer({"stopped": site.as_json(), "serving": left}, None)
    served = ", ".join(map(str, sites)) or "none"
    raise InvalidArgument(
        f"{ellipsize(path, 200)!r} is not served.", f"Pass one of the served directories: {served}."
    )


def _check_sources(arguments: Mapping[str, Any]) -> None:
    if arguments["css"] is None and arguments["js"] is None:
        raise InvalidArgument("dev_inject needs css, js or both.", "Pass one of them.")


@_dev_tool(title="Inject CSS or JavaScript", position=710, destructive=True, check=_check_sources)
async def dev_inject(
    tab: TabHandle,
    *,
    css: Annotated[str | None, "CSS to add to the page as a style sheet."] = None,
    js: Annotated[
        str | None, Uses("scripts"), "JavaScript to run in the page, for at most 5 s."
    ] = None,
    persist: Annotated[bool, "Also apply both to every later document of the tab."] = False,
    detail: ChangesDetail = "delta",
) -> Answer[Page]:
    """Add CSS to the page, run JavaScript in it, and return what changed."""
    sources = [source for source in (css and _SHEET % json.dumps(css), js) if source]
    return page_answer(tab.record, await tab.do(emulation.inject, sources, persist=persist), detail)


@_dev_tool(title="Audit the page", position=720, tab=False, read_only=True, deadline=240.0)
async def dev_audit(
    session: AgentSession,
    *,
    checks: Annotated[
        Sequence[Category] | None, Limits(min_length=1), "Checks to make. Default: all."
    ] = None,
    tab_id: TabId | None = None,
) -> Answer[Audit]:
    """Audit the page and return findings, worst first, with element ids and fixes."""
    categories = tuple(dict.fromkeys(checks or get_args(Category)))

    record = await session.tab(tab_id)
    work = partial(audit, session=session, categories=categories)
    made = await record.tab.ask(TabActor.perform, work)
    room = max(record.session.settings.max_chars - _AUDIT_ENDS, 0)
    part = build_list("findings", made.findings, Finding.as_json, room=room)
    body: dict[str, Any] = {
        "url": ellipsize(record.url, 2000),
        "summary": made.summary,
        "findings": part.items,
        "looked_at": made.looked_at,
    }
    if made.notes:
        body["notes"] = made.notes
    if part.is_cut:
        cut = part.describe_cut(None)
        body["truncation"] = {**cut, "suggestion": "Pass some of the checks."}
    body["tab_id"] = made.tab_id
    return json_answer(body, made, tab_id=record.id).with_error_page(record.error_note)
