"""dev_audit with axe-core installed: its rules in place of the built-in checks, frame by frame."""

from collections.abc import Generator

import pytest

from tests.whole.client import Server, open_server
from tests.whole.tabs import Tab
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

ENGINE = """globalThis.axe = {
  version: '9.9.9',
  async run(root, { rules }) {
    const pictures = [...root.images].map((element) => ({ element }));
    const whole = [{ element: root.documentElement }];
    const rule = (id, impact, nodes) => ({ id, impact, help: `About ${id}`, nodes });
    const about = [
      rule('picture', 'serious', pictures), rule('region', 'moderate', whole),
      rule('color-contrast', 'serious', whole), rule('odd', null, whole),
    ];
    return { violations: about.filter(({ id }) => rules[id]?.enabled !== false) };
  },
};"""
FRAMED = "<img src=x width=9 height=9><iframe srcdoc='<img src=y width=9 height=9>'></iframe>"


@pytest.fixture(scope="module")
def axe_server(tmp_path_factory: pytest.TempPathFactory) -> Generator[Server]:
    """A server beside which a package with an engine is installed."""
    place = tmp_path_factory.mktemp("packages")
    (place / "axe_core_python").mkdir()
    (place / "axe_core_python" / "__init__.py").write_text("raise ImportError('is not to be run')")
    (place / "axe_core_python" / "axe.min.js").write_text(ENGINE)
    with open_server(env={"PYTHONPATH": str(place)}) as server:
        yield server


@pytest.fixture
def axe_tab(axe_server: Server, web: Web) -> Tab:
    return Tab(axe_server, web, axe_server.call("tab_open").json["tab_id"])


def test_the_rules_of_axe_take_the_place_of_the_built_in_checks(axe_tab: Tab) -> None:
    axe_tab.open("<img src=x><button></button>")

    report = axe_tab.call("dev_audit", checks=["a11y"])

    told = [(one["check"], one["severity"], one["message"]) for one in report["findings"]]
    assert told == [
        ("picture", "error", "About picture."),
        ("region", "warning", "About region."),
        ("odd", "warning", "About odd."),
    ]
    assert report["notes"] == ["Accessibility by axe-core 9.9.9."]
    assert axe_tab.js("typeof axe") == "undefined"


def test_axe_looks_into_frames_but_not_for_what_is_of_whole_pages(axe_tab: Tab) -> None:
    axe_tab.open(FRAMED)

    findings = axe_tab.call("dev_audit", checks=["a11y"])["findings"]

    assert [one["check"] for one in findings].count("region") == 1
    pictures = [one["element"] for one in findings if one["check"] == "picture"]
    assert len(set(pictures)) == 2
    for element in pictures:
        assert not axe_tab.reply("screenshot", selector=element).result.get("isError")
