"""Names of elements."""

import pytest

from tests.browser.probe.rows import only
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<button>Go</button>", "Go"),
        ("<button aria-label=Go>x</button>", "Go"),
        ("<label>Mail <input></label>", "Mail"),
        ("<label for=a>Mail</label><input id=a>", "Mail"),
        ("<a href=1><img alt=Home></a>", "Home"),
        ("<input type=submit value=Send>", "Send"),
        ("<button title=Close></button>", "Close"),
    ],
)
async def test_an_element_has_a_name(page: RawPage, html: str, name: str) -> None:
    assert (await only(page, html, "i")).name == name
