"""A capture kept up to date by what changed is the same as one made from scratch."""

import json
import re
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from charlotte.page.capture import Capture, parse_answer
from tests.browser.raw_cdp import RawPage, open_raw_page

pytestmark = [pytest.mark.chromium, pytest.mark.fault]

_EDITS = Path(__file__).with_name("edits.js").read_text(encoding="utf-8")
_KINDS = re.findall(r"^    (\w+): \(", _EDITS, re.MULTILINE)

Edit = tuple[str, int, int, int]
_numbers = st.integers(0, 99)
edits = st.tuples(st.sampled_from(_KINDS), _numbers, _numbers, _numbers)
_rounds = st.lists(st.lists(edits, min_size=1, max_size=3), min_size=1, max_size=8)


@attrs.define(eq=False)
class Follower:
    """Keeps up with a page by asking only for what changed."""

    page: RawPage
    most: int
    capture: Capture | None = None

    async def both(self) -> tuple[Capture, Capture]:
        """The capture kept up to date and a fresh one, with no event between them."""
        known = self.capture.answer if self.capture else ""
        asked = ", ".join(self._asked(known=known, fresh=fresh) for fresh in (False, True))
        kept, fresh = await self.page.run_beside(f"[{asked}]")
        assert '"skipped"' not in fresh
        self.capture = parse_answer(kept, self.capture)
        return self.capture, parse_answer(fresh, None)

    async def survey(self, root: int = 0) -> Any:
        """All that is shown: names may be remembered in the document, but not in a root."""
        return json.loads(await self.page.run_beside(f"charlotte.survey({root})"))

    def _asked(self, **how: Any) -> str:
        return f"charlotte.capture({json.dumps({'most': self.most, **how})})"


def facts(capture: Capture) -> dict[str, Any]:
    """Everything but the name of the answer."""
    return {name: value for name, value in _items(capture) if name != "answer"}


def _items(capture: Capture) -> list[tuple[str, Any]]:
    return [(field.name, getattr(capture, field.name)) for field in attrs.fields(Capture)]


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(rounds=_rounds, most=st.sampled_from([4, 1000]))
@example(rounds=[[("move", 2, 10, 0)], [("text", 0, 0, 0)]], most=1000)
async def test_after_any_edits_it_is_what_a_fresh_one_is(
    endpoint: str, rounds: list[list[Edit]], most: int
) -> None:
    """Whatever changes, seen as a mutation or not, at once or one after the other."""
    async with open_raw_page(endpoint) as page:
        await page.load("<body>")
        await page.run(_EDITS)
        follower = Follower(page, most)
        kept, fresh = await follower.both()
        assert facts(kept) == facts(fresh)
        for edits in rounds:
            await page.run(f"edit({[list(each) for each in edits]})")
            kept, fresh = await follower.both()
            assert facts(kept) == facts(fresh)
            survey = await follower.survey()
            assert survey == await follower.survey(survey["cells"][2])


async def test_a_flood_of_changes_is_no_longer_recorded_and_read_as_a_whole(page: RawPage) -> None:
    await page.load("<ul id=list></ul>")
    await page.ask("capture")
    await page.run("""for (let turn = 0; turn < 300; turn += 1) list.replaceChildren(
      ...Array.from({length: 30}, (_, n) => Object.assign(document.createElement('li'),
      {textContent: `Item ${turn}.${n}`})))""")
    flooded = str(await page.ask("capture"))
    await page.run("list.firstChild.textContent = 'Changed'; 0")

    assert "Item 299.0" in flooded
    assert "Changed" in str(await page.ask("capture"))


TABLE = "<table><thead><tr><th>Book<th>Copies<th>Do</thead><tbody id=rows>" + "".join(
    f"<tr data-key=k{n}><td>Book {n}<td><input value={n}><td><button>Order</button>"
    for n in range(4)
)


async def test_records_that_are_remembered_are_those_of_a_fresh_capture(page: RawPage) -> None:
    for script in [
        "rows.rows[1].cells[0].firstChild.data = 'Another'",
        "rows.rows[1].dataset.key = 'other'",
        "document.querySelector('tbody button').dataset.key = 'inside'",
        "document.querySelector('th').firstChild.data = 'Title'",
        "rows.rows[2].cells[0].firstChild.data = 'word '.repeat(300)",
        "rows.prepend(rows.lastElementChild)",
        "rows.rows[0].remove()",
        "rows.rows[1].cells[0].colSpan = 2",
        "rows.rows[1].append(rows.rows[2].cells[2])",
    ]:
        await page.load(TABLE)
        follower = Follower(page, 1000)
        kept, fresh = await follower.both()
        assert any("record" in node.extra for node in kept.nodes), script
        await page.run(f"{script}; ''")
        for _ in range(2):
            kept, fresh = await follower.both()
            assert facts(kept) == facts(fresh), script
