"""console: messages are formatted like in DevTools."""

import pytest

from tests.whole.answers import messages
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium


def test_lines_of_a_console_group_follow_its_label(tab: Tab) -> None:
    tab.open("""<script>console.group('Cart', 1); console.log('two\\nlines');
      console.groupCollapsed('Item'); console.warn('deep'); console.groupEnd();
      console.assert(true, 'holds'); console.groupEnd(); console.log('after');
      console.group('left open')</script>""")
    tab.open("<script>console.log('next'); console.groupEnd(); console.log('page')</script>")

    assert messages(tab.call("console")) == [
        *("Cart 1", "two\nlines", "Item", "deep", "after", "left open"),
        *("next", "page"),
    ]


def test_messages_of_the_browser_appear_in_the_console(tab: Tab) -> None:
    policy = {"Content-Security-Policy": "script-src 'self'"}
    path = tab.web.write("<script>1</script><img src=/missing.png>", headers=policy)

    tab.call("navigate", url=tab.web.url(path))

    blocked, missing = sorted(messages(tab.call("console", level="error")))[:2]
    assert "Content Security Policy" in blocked
    assert "404" in missing
    assert "/missing.png" in missing
