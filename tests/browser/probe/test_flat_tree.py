"""The flat tree: shadow roots and slots."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


_HOST = """<div id=host><b slot=s>Text</b></div><script>
  host.attachShadow({mode: 'open'}).innerHTML = '<i><slot name=s></slot></i>'</script>"""
_PARENT = "charlotte.parts.parent(document.querySelector('b')).localName"


async def test_the_parent_of_a_slotted_element_is_its_slot(page: RawPage) -> None:
    await page.load(_HOST)
    assert await page.run_beside(_PARENT) == "slot"


async def test_open_roots_are_the_document_and_the_shadow_roots(page: RawPage) -> None:
    await page.load(_HOST)
    script = "charlotte.parts.roots().map((root) => root.constructor.name).join()"
    assert await page.run_beside(script) == "HTMLDocument,ShadowRoot"
