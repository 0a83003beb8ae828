"""Waiting until a page is quiet."""

import pytest

from tests.browser.raw_cdp import Json, RawPage

pytestmark = pytest.mark.chromium


async def _settle(page: RawPage, script: str) -> Json:
    await page.load("<p id=p>Text</p>")
    await page.ask("capture")
    return await page.settle_after(script, age=50)


async def test_a_key_comes_after_the_short_timers_of_the_typed_text(page: RawPage) -> None:
    await page.load("<p id=p></p>")
    await page.run("setTimeout(() => { p.textContent += 'Filtered' }, 300); 0")
    await page.run("setTimeout(() => { p.textContent += 'Later' }, 9000); 0")

    await page.ask("waitForTyping", 200)

    assert await page.run("p.textContent") == "Filtered"


async def test_a_visual_change_is_described(page: RawPage) -> None:
    answer = await _settle(page, "p.className = 'on'")
    assert answer["visual"] == ['class of p#p "Text"']


async def test_a_changed_element_is_described_by_its_visible_text(page: RawPage) -> None:
    parts = "<div>One</div><div style='display: none'>Two</div><div>Three</div>"
    answer = await _settle(page, f"p.outerHTML = `<div id=p>{parts}</div>`; p.className = 'on'")
    assert 'class of div#p "One Three"' in answer["visual"]


async def test_a_change_in_the_next_frame_is_part_of_the_answer_of_settle(page: RawPage) -> None:
    await page.load("<p id=p>One</p>")
    await page.run("requestAnimationFrame(() => { p.textContent = 'Two' }); 0")
    assert (await page.ask("settle", {"age": 500}))["settled"] is True
    assert await page.run("p.textContent") == "Two"


async def test_the_clock_of_the_probe_is_not_that_of_the_page(page: RawPage) -> None:
    await page.load("<p>One</p>")
    await page.run("performance.now = () => 0; Date.now = () => 0; 0")
    assert (await page.ask("settle"))["settled"] is True


async def _settled(page: RawPage, script: str) -> Json:
    await page.load("<p id=p>Text</p>")
    await page.run(f"{script}; 0")
    return await page.ask("settle", {"age": 500})


async def test_timers_are_counted_although_the_page_replaced_array_iteration(page: RawPage) -> None:
    script = "Array.prototype[Symbol.iterator] = () => { throw 1 }; setTimeout(() => {}, 3000)"
    assert (await _settled(page, script))["later"] == 3000


_CLOCK = """<p id=clock>0</p><p id=p>Text</p><script>
  setInterval(() => { clock.replaceChildren('0') }, 50)</script>"""


async def test_a_clock_that_ran_before_is_not_waited_for(page: RawPage) -> None:
    await page.load(_CLOCK)
    await page.ask("capture")
    await page.run("new Promise((resolve) => setTimeout(resolve, 900))")
    answer = await page.ask("settle", {"age": 20})
    assert (answer["settled"], answer["waited"]) == (True, [])


async def test_a_clock_that_the_action_started_is_waited_for(page: RawPage) -> None:
    await page.load("<p id=p>Text</p>")
    await page.ask("capture")
    await page.run("setInterval(() => { p.textContent = performance.now() }, 20); 1")
    assert "mutations" in (await page.ask("settle", {"age": 50}))["waited"]


_ANIMATION = """const end = performance.now() + 450; const step = () => { p.title = Math.random();
  if (performance.now() < end) requestAnimationFrame(step) }; step(); 1"""


async def test_an_animation_after_one_that_came_to_rest_is_waited_for(page: RawPage) -> None:
    await page.load("<p id=p>Text</p>")
    await page.ask("capture")
    answer = await page.settle_after(_ANIMATION, age=20)
    while not answer["settled"]:
        answer = await page.ask("settle", {"age": 5000})
    assert "mutations" in (await page.settle_after(_ANIMATION, age=20))["waited"]


_REGION = "<p id=live role=status></p>"


async def _settled_of_announcements(page: RawPage, script: str) -> Json:
    await page.load(_REGION)
    await page.ask("capture")
    return await page.settle_after(script, age=100)


async def test_present_texts_are_part_of_a_capture(page: RawPage) -> None:
    await page.load("<p role=alert>Full</p><p role=status hidden>Old</p>")
    assert (await page.ask("capture"))["alerts"] == ["Full"]


async def test_an_announcement_that_stays_is_reported_as_given(page: RawPage) -> None:
    answer = await _settled_of_announcements(page, "live.textContent = 'Saved'")
    assert ("vanished" in answer, answer["updated"]) == (False, ["Saved"])


async def test_the_same_text_is_an_announcement_again(page: RawPage) -> None:
    await _settled_of_announcements(page, "live.textContent = 'Saved'")
    await page.run("new Promise((resolve) => setTimeout(resolve, 200))")
    answer = await page.settle_after("live.textContent = 'Saved'", age=100)
    assert answer["updated"] == ["Saved"]


async def test_a_condition_is_checked_at_once(page: RawPage) -> None:
    await page.load("<p>Saved</p>")
    answer = await page.ask("conditions", {"text": "Saved", "gone": "Saving", "selector": "p"})
    assert (bool(answer["text"]), bool(answer["gone"]), answer["selector"]) == (True, False, True)


async def test_a_wait_ends_without_a_change(page: RawPage) -> None:
    await page.load("<p>Text</p>")
    assert await page.ask("changed", 20) == {}
