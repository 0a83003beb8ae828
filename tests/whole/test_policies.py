"""Policies in a real browser: no route of a page leads around a rule."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
import trio

from charlotte import Config, Page, PolicyRefused, QuestionAsked, Session, Tab, open_charlotte
from charlotte.base.errors import NavigationBlocked
from charlotte.tools.filling import Field
from tests.whole.cases import case
from tests.whole.shop_site import KINDS, Shop, open_shop

pytestmark = pytest.mark.chromium

ASK = """
[[rule]]
name = "orders"
action = "ask"
method = "POST"
path = "/orders"
"""
PASSWORDS = "<input type=password aria-label=Secret><input aria-label=Plain>"


def policy_file(directory: Path, text: str) -> str:
    file = directory / "policy.toml"
    file.write_text(text)
    return str(file)


async def press(tab: Tab, page: Page, name: str) -> Page:
    return await tab.click(page.element(name).id)


async def open_checkout(session: Session, shop: Shop) -> tuple[Tab, Page]:
    tab = await session.open_tab(shop.url())
    return tab, await tab.observe(detail="full")


async def test_read_only_holds_every_route_of_a_page_and_names_its_rule() -> None:
    async with (
        open_shop() as shop,
        open_charlotte(Config(policy=("read-only",))) as charlotte,
        charlotte.open_session() as session,
    ):
        tab, page = await open_checkout(session, shop)
        for kind in KINDS:
            answer = await press(tab, page, kind)
            if kind in {"fetch", "beacon", "form", "popup"}:
                assert "refused by policy rule 'read-only'" in str(answer), kind
        for expression in ("post('/orders')", "document.forms[0].submit()"):
            script = (await session.call("evaluate", {"expression": expression})).text
            assert f"POST {shop.url('/orders')} refused by policy rule 'read-only'" in script
        with pytest.raises(PolicyRefused, match="'read-only' refuses upload"):
            await session.call("upload", {"element_id": page.element("fetch").id, "paths": ["a"]})
        listed = (await session.call("requests")).text
        await tab.close()  # a beacon of its end would be held too
        await trio.sleep(0.5)
        assert shop.orders() == []
        assert shop.messages == []
    for line in ("POST refused by policy rule 'read-only'", "GET refused by policy rule"):
        assert line in listed, listed


async def test_under_read_only_no_shared_worker_opens_a_socket() -> None:
    async with (
        open_shop() as shop,
        open_charlotte(Config(policy=("read-only",))) as charlotte,
        charlotte.open_session() as session,
    ):
        await session.open_tab(shop.url("/checkout?plain"))
        script = f"new SharedWorker('/sender.js', '{shop.socket}'); 1"
        await session.call("evaluate", {"expression": script})
        with trio.move_on_after(1):
            await shop.heard.wait()
        assert shop.messages == []


async def test_read_only_types_into_no_password_field() -> None:
    async with (
        open_shop() as shop,
        open_charlotte(Config(policy=("read-only",))) as charlotte,
        charlotte.open_session() as session,
    ):
        tab, _ = await open_checkout(session, shop)
        await tab.evaluate(f"document.body.innerHTML = `{PASSWORDS}`; 0")
        page = await tab.observe()
        secret, plain = page.element("Secret").id, page.element("Plain").id
        refused: list[tuple[str, dict[str, Any]]] = [
            ("type", {"element_id": secret, "text": "abc"}),
            ("key", {"element_id": secret, "key": "a"}),
            ("key", {"element_id": secret, "keys": ["a", "b"], "together": True}),
            ("key", {"element_id": plain, "keys": ["Shift+Tab", "a"], "together": True}),
            ("fill_form", {"fields": [{"element_id": secret, "value": "abc"}]}),
            ("type", {"text": "abc"}),  # the field has the focus
            ("clipboard", {"action": "paste", "text": "abc"}),
        ]
        for tool, arguments in refused:
            with case(tool, arguments), pytest.raises(PolicyRefused, match="refuses to type"):
                await session.call(tool, arguments)
        step = {"tool": "type", "arguments": refused[0][1]}
        batched = await session.call("batch", {"steps": [step]})
        assert "POLICY_REFUSED" in batched.text
        await tab.type("abc", element_id=plain)
        await tab.key("Tab")
        values = "[...document.querySelectorAll('input')].map((i) => i.value)"
        assert (await tab.evaluate(values)).value == ["", "abc"]


async def test_no_downloads_saves_no_file(tmp_path: Path) -> None:
    config = Config(policy=("no-downloads",), output_dir=str(tmp_path))
    async with (
        open_shop() as shop,
        open_charlotte(config) as charlotte,
        charlotte.open_session() as session,
    ):
        tab = await session.open_tab(shop.site.url("/counter.html"))
        await tab.evaluate(
            "const a = document.createElement('a'); a.href = '/download'; a.download = 'x';"
            "a.textContent = 'Save'; document.body.append(a)"
        )
        page = await tab.observe()
        answer = await press(tab, page, "Save")
        assert "policy rule 'no-downloads'" in str(answer)
        text = (await session.call("click", {"element_id": page.element("Save").id})).text
        assert f'! download "report.csv" canceled from {shop.site.url("/download")}' in text
    assert not [name for name in os.listdir(tmp_path) if "report" in name]  # noqa: PTH208 - short


async def test_no_uploads_holds_bodies_with_files_only(tmp_path: Path) -> None:
    send = "fetch('/orders', {method: 'POST', body: %s}).then(() => 'sent', () => 'held')"
    form = "(() => { const f = new FormData(); f.append('a', '1'); %s return f })()"
    file = "f.append('file', new File(['x'], 'x.txt'));"
    async with (
        open_shop() as shop,
        open_charlotte(Config(policy=("no-uploads",))) as charlotte,
        charlotte.open_session() as session,
    ):
        tab = await session.open_tab(shop.site.url("/counter.html"))
        for body, outcome in (
            ("'{\"a\": 1}'", "sent"),
            (f"({form % file})", "held"),
            ("new Blob([new Uint8Array([255, 254])])", "held"),
        ):
            assert (await tab.evaluate(send % body)).value == outcome


async def test_fill_form_gives_no_file_if_a_rule_is_about_uploads(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    async with (
        open_charlotte(Config(policy=("no-uploads",), root=(str(tmp_path),))) as charlotte,
        charlotte.open_session() as session,
    ):
        tab = await session.open_tab("data:text/html,<input type=file aria-label=Letter>")
        field = (await tab.observe()).element("Letter").id
        given = [Field(element_id=field, value=str(tmp_path / "a.txt"))]
        with pytest.raises(PolicyRefused, match="'no-uploads' is about uploads"):
            await tab.fill_form(given)
        assert (await tab.evaluate("document.querySelector('input').files.length")).value == 0


async def test_rules_apply_to_navigations_redirects_and_calls(tmp_path: Path) -> None:
    file = policy_file(
        tmp_path,
        '[[rule]]\nname = "private"\naction = "refuse"\npath = "/counter.html"\n'
        '[[rule]]\nname = "scripts"\naction = "refuse"\ntool = "evaluate"\n',
    )
    async with (
        open_shop() as shop,
        open_charlotte(Config(policy=(file,))) as charlotte,
        charlotte.open_session() as session,
    ):
        tab = await session.open_tab()
        for path in ("/counter.html", "/redirect?to=/counter.html"):
            with pytest.raises(NavigationBlocked, match="policy rule 'private'"):
                await tab.navigate(shop.site.url(path))
        with pytest.raises(PolicyRefused, match="'scripts' refuses evaluate"):
            await tab.evaluate("1")
        await tab.navigate(shop.site.url("/list.html"))


async def test_a_person_answers_on_the_dashboard_while_other_tabs_continue(tmp_path: Path) -> None:
    config = Config(policy=(policy_file(tmp_path, ASK),), dashboard=True)
    async with (
        open_shop() as shop,
        open_charlotte(config) as charlotte,
        charlotte.open_session() as session,
    ):
        state = charlotte.dashboard_state
        other = await session.open_tab(shop.site.url("/counter.html"))
        asked = session.events(QuestionAsked)
        for allow in (False, True):
            tab = await session.open_tab(shop.url("/checkout?plain=1"))
            page = await tab.observe(detail="full")
            answers: list[str] = []

            async def act(tab: Tab = tab, page: Page = page, to: list[str] = answers) -> None:
                to.append(str(await press(tab, page, "Pay")))

            with case(allow), trio.fail_after(60):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(act)
                    await anext(asked)
                    [question] = state.state()["questions"]
                    assert (await other.evaluate("1 + 1")).value == 2
                    assert shop.orders() == []
                    assert question["held"] == f"POST {shop.url('/orders')}"
                    assert "token-" not in json.dumps(question)
                    assert state.answer_question(question["id"], allow=allow)
                    assert not state.answer_question(question["id"], allow=True)
                assert len(shop.orders()) == allow
                verdict = "was sent: a person allowed it" if allow else "a person refused it"
                assert verdict in answers[0]
                assert ("Thank you" in answers[0]) is allow
