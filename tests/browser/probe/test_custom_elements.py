"""Custom elements that forms take for controls, of which only the page's script knows the rest."""

import pytest

from tests.browser.probe.rows import Row, only, rows_in, rows_of
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

DEFINED = """<script>
const define = (name, root, mode, setUp = () => {}) => customElements.define(name,
  class extends HTMLElement {
    static formAssociated = true;
    constructor() {
      super();
      this.internals = this.attachInternals();
      if (root !== '') this.attachShadow({ mode }).innerHTML = root;
      setUp(this.internals);
    }
    complain(flags) {
      const inner = this.internals.shadowRoot?.querySelector('input') ?? undefined;
      this.internals.setValidity(flags, 'Not like this', inner);
    }
  });
define('x-bare', '', '', (internals) => { internals.role = 'textbox'; });
define('x-open', '<input value=7><button>Clear</button>', 'open');
define('x-closed', '<input value=7>', 'closed');
customElements.define('x-inner', class extends HTMLElement {
  constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<input value=7>'; }
});
define('x-outer', '<x-inner></x-inner>', 'open');
</script>"""
BAD = "document.querySelector('%s').complain({ badInput: true })"
KINDS = ["x-bare", "x-open", "x-outer"]


def entry(rows: list[Row]) -> Row:
    return next(row for row in rows if row.role == "textbox")


@pytest.mark.req("C-PR-28", "C-PR-29")
async def test_they_know_their_form(page: RawPage) -> None:
    for tag in KINDS:
        one = f"<{tag} aria-label=One></{tag}>"
        rows = await rows_in(page, f"{DEFINED}<form id=a>{one}</form><form id=b></form>")
        form, other = (row.nid for row in rows if row.kind == "f")
        assert entry(rows).extra["form"] == form, tag

        rows = await rows_in(page, f"{DEFINED}<form id=a>x</form><form id=b></form><{tag} form=b>")
        form, other = (row.nid for row in rows if row.kind == "f")
        assert entry(rows).extra["form"] == other != form, tag


async def test_without_a_form_they_have_none(page: RawPage) -> None:
    for tag in KINDS:
        rows = await rows_in(page, f"{DEFINED}<form id=a></form><{tag}></{tag}>")
        assert "form" not in entry(rows).extra, tag


@pytest.mark.req("C-PR-27")
async def test_they_say_when_they_are_not_valid(page: RawPage) -> None:
    for tag in KINDS:
        assert "invalid" not in entry(await rows_in(page, f"{DEFINED}<{tag}></{tag}>")).extra, tag

        await page.run(BAD % tag)
        rows = rows_of(await page.ask("capture"))
        assert entry(rows).extra["invalid"] == 1, tag
        assert [
            row.name for row in rows if row.role == "button" and "invalid" in row.extra
        ] == [], tag
        assert (await page.ask("describe", entry(rows).nid))["extra"]["invalid"] == 1, tag

        await page.run((BAD % tag).replace("badInput: true", ""))
        assert "invalid" not in entry(rows_of(await page.ask("capture"))).extra, tag


async def test_what_their_author_says_of_them_counts_more(page: RawPage) -> None:
    await page.load(f"{DEFINED}<x-bare aria-invalid=false></x-bare>")
    await page.run(BAD % "x-bare")
    assert "invalid" not in entry(rows_of(await page.ask("capture"))).extra


async def test_a_required_one_has_not_failed_while_it_is_empty(page: RawPage) -> None:
    await page.load(f"{DEFINED}<x-open required></x-open>")
    await page.run("""const open = document.querySelector('x-open');
        open.shadowRoot.querySelector('input').value = ''; open.complain({ valueMissing: true })""")
    assert "invalid" not in entry(rows_of(await page.ask("capture"))).extra

    await page.run("open.shadowRoot.querySelector('input').value = 'x'")
    assert entry(rows_of(await page.ask("capture"))).extra["invalid"] == 1


async def test_an_invalid_custom_control_is_reported_for_its_field(page: RawPage) -> None:
    for tag in KINDS:
        rows = await rows_in(page, f"{DEFINED}<form><{tag}></{tag}><input required></form>")
        await page.run(BAD % tag)
        form = next(row.nid for row in rows if row.kind == "f")
        field, native = (row.nid for row in rows if row.role == "textbox")

        listed = (await page.ask("invalidFields", form))["invalid"]

        expected = field if tag != "x-outer" else await page.nid(tag)
        assert [nid for nid, _ in listed] == [expected, native], tag
        assert all(message for _, message in listed), tag
        assert (await page.ask("submitter", field))["form"] == form, tag


BOXES = """define('x-box', '', '', (internals) => { internals.role = 'checkbox'; });
customElements.define('x-silent', class extends HTMLElement {
  constructor() {
    super();
    this.addEventListener('charlotte:states', (event) => event.stopImmediatePropagation());
    this.attachInternals().role = 'checkbox';
  }
});"""
"""``x-silent`` is as an element that was there before the probe."""


@pytest.mark.req("C-PR-23")
async def test_a_checked_state_is_listed_if_it_is_known(page: RawPage) -> None:
    for html, states in [
        ("<x-box></x-box>", {"checked": False}),
        ("<x-silent></x-silent>", {}),
        ("<x-box aria-checked=true></x-box>", {"checked": True}),
        ("<x-box role=checkbox></x-box>", {"checked": False}),
    ]:
        row = await only(page, f"{DEFINED}<script>{BOXES}</script>{html}", "i")
        assert (row.role, row.says("checked")) == ("checkbox", states), html


async def test_an_element_with_such_a_name_alone_is_no_control(page: RawPage) -> None:
    rows = await rows_in(page, "<form><x-plain role=textbox aria-label=One></x-plain></form>")
    assert entry(rows).says("form", "invalid") == {}
