"""dev_audit: each check on a page with that single fault, and on a correct page."""

from collections import Counter
from typing import Any

import pytest

from tests.whole.audit_pages import FAULTS, document, files
from tests.whole.cases import case
from tests.whole.client import Message, open_server
from tests.whole.tabs import Tab, eventually
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

SETTLED = "new Promise((done) => setTimeout(done, 500))"


def audited(tab: Tab, *checks: str) -> Any:
    return tab.call("dev_audit", **({"checks": list(checks)} if checks else {}))


def found(report: Message) -> list[str]:
    return [finding["check"] for finding in report["findings"]]


@pytest.mark.req("C-AUD-02", "C-AUD-03", "C-AUD-04", "C-AUD-05", "C-AUD-06")
@pytest.mark.parametrize("category", FAULTS)
def test_an_audit_finds_each_planted_fault(tab: Tab, category: str) -> None:
    paths = files(tab.web)
    together = [fault for fault in FAULTS[category] if fault.is_only_markup]
    markup = "".join(f"<div>{fault.body}</div>" for fault in together)
    tab.open(document(tab.web, markup % paths if "%(" in markup else markup))
    planted = Counter(fault.check for fault in together)
    assert planted <= Counter(found(audited(tab, category)))

    for fault in FAULTS[category]:
        if not fault.is_only_markup:
            with case(fault):
                head = fault.head and fault.head % paths
                tab.open(document(tab.web, fault.body, head, fault.lang, fault.main))
                if "setTimeout" in fault.body:
                    tab.js(SETTLED)
                checks = set(found(audited(tab, category)))
                assert fault.check in checks
                assert fault.several or checks == {fault.check}


@pytest.mark.req("C-AUD-02", "C-AUD-03", "C-AUD-04", "C-AUD-05", "C-AUD-06")
@pytest.mark.parametrize("category", FAULTS)
def test_an_audit_finds_no_fault_on_a_correct_page(tab: Tab, category: str) -> None:
    markup = "".join(f"<div>{fault.twin}</div>" for fault in FAULTS[category])
    markup = markup % files(tab.web) if "%(" in markup else markup
    tab.open(document(tab.web, markup))
    report = audited(tab, category)
    assert report["findings"] == []
    assert report["summary"] == "Nothing found."


@pytest.mark.req("C-AUD-01", "C-AUD-07")
def test_an_audit_runs_all_categories_unless_some_are_given(tab: Tab) -> None:
    tab.open("<img src=x><p style='color:#ccc'>Pale</p><a href=/status/404>Gone</a>")

    report = audited(tab)

    assert {finding["category"] for finding in report["findings"]} == {
        "a11y", "seo", "contrast", "links",
    }  # fmt: skip
    ranks = [finding["severity"] for finding in report["findings"]]
    assert ranks == sorted(ranks, key=["error", "warning", "info"].index)
    assert report["summary"].startswith(f"{len(ranks)} findings: ")
    looked_at = report["looked_at"]
    assert (looked_at["links"], looked_at.keys() >= {"texts", "resources"}) == (1, True)
    assert {one["category"] for one in audited(tab, "seo", "links")["findings"]} == {"seo", "links"}
    assert tab.refused("dev_audit", checks=["colour"])["code"] == "INVALID_ARGUMENT"


@pytest.mark.req("C-AUD-07")
def test_audit_findings_name_elements_that_other_tools_accept(tab: Tab) -> None:
    tab.open("""<button onclick="said.textContent = 'Clicked'" style='width:20px;height:20px'>
      </button><img src=x width=20 height=20><p id=said>Nothing</p>""")

    named = {one["check"]: one["element"] for one in audited(tab, "a11y")["findings"] if
             "element" in one}  # fmt: skip
    tab.call("click", element_id=named["button-name"])
    pictured = tab.reply("screenshot", selector=named["image-alt"])

    assert tab.js("said.textContent") == "Clicked"
    assert not pictured.result.get("isError")


def test_the_link_audit_leaves_no_trace_on_the_page(tab: Tab) -> None:
    path = tab.web.write("<h1>Asked</h1>")
    tab.open(f"<a href={path}>Ask</a><a href=/cookie?name=spoon>Cookie</a>")
    tab.js("document.cookie = 'who=me'")

    audited(tab, "links")

    [asked] = tab.web.asked(path)
    assert asked.method == "HEAD"
    assert "cookie" not in asked.headers
    assert not [one for one in tab.call("requests")["requests"] if path in one["url"]]
    assert "spoon" not in tab.js("document.cookie")
    eventually(lambda: len(tab.server.call("tabs").json) == 1)


@pytest.mark.extended
def test_the_link_audit_does_not_follow_links_to_blocked_hosts(web: Web) -> None:
    there, fine = (web.write("<h1>Asked</h1>") for _ in range(2))
    blocked = web.url(there, host="blocked.localhost")
    led = web.url(f"/redirect?to={blocked}")
    with open_server("--profile", "audit", "--block-host", "blocked.localhost") as server:
        tab = Tab(server, web, server.call("tab_open").json["tab_id"])
        tab.open("".join(f"<a href='{url}'>There</a>" for url in (blocked, led, fine)))
        report = audited(tab, "links")

    assert report["looked_at"]["links"] == 2
    assert "1 of 3 addresses were not followed." in report["notes"]
    assert web.asked(there) == []
    assert len(web.asked(fine)) == 1


INSIDE = """<html lang=en><button style="width: 20px; height: 20px"
  onclick="textContent = 'Clicked'"></button><a href="/status/404">Gone</a>"""


@pytest.mark.req("C-AUD-02", "C-AUD-06", "C-AUD-07")
def test_an_audit_includes_the_contents_of_frames(tab: Tab) -> None:
    for host in ["127.0.0.1", "other.localhost"]:
        with case(host):
            inner = tab.web.url(tab.web.write(INSIDE), host=host)
            tab.open(document(tab.web, f"<iframe title=Inner src={inner}></iframe>"))
            report = audited(tab)
            named = {one["check"]: one["element"] for one in report["findings"]}
            assert set(named) == {"button-name", "broken-link"}
            assert "notes" not in report
            tab.call("click", element_id=named["button-name"])
            assert tab.element("Clicked")["id"] == named["button-name"]


@pytest.mark.req("C-AUD-05")
def test_contrast_of_frame_texts_uses_the_background_behind_the_frame(tab: Tab) -> None:
    for colour, checks in [("#eee", []), ("#555", ["color-contrast"])]:
        with case(colour, checks):
            inner = f'<body style="color: {colour}">Words'
            tab.open(
                document(
                    tab.web, f"<div style='background: #222'><iframe srcdoc='{inner}'></iframe>"
                )
            )
            assert found(audited(tab, "contrast")) == checks


def test_page_level_audit_rules_are_not_applied_to_frames(tab: Tab) -> None:
    inner = "<img src=y width=9 height=9>"
    tab.open(f"<p>Words<img src=x width=9 height=9><iframe srcdoc='{inner}'></iframe>")

    findings = audited(tab, "a11y")["findings"]

    checks = [one["check"] for one in findings]
    assert checks.count("region") == 1
    assert "html-has-lang" not in checks
    pictures = [one["element"] for one in findings if one["check"] == "image-alt"]
    assert len(set(pictures)) == 2
    for element in pictures:
        assert not tab.reply("screenshot", selector=element).result.get("isError")


def test_a_repeated_audit_finds_the_same_and_leaves_no_script(tab: Tab) -> None:
    tab.open("<input><button></button>")
    first = audited(tab, "a11y", "contrast")
    assert audited(tab, "a11y", "contrast")["findings"] == first["findings"]
    assert tab.js("typeof axe") == "undefined"


@pytest.mark.req("C-AUD-05")
def test_texts_on_images_are_counted_as_unknown_contrast(tab: Tab) -> None:
    cases = [
        "<p style='background: url(/echo)'>Words",
        "<div style='background: url(/echo)'><iframe srcdoc='Words'></iframe></div>",
    ]

    for markup in cases:
        with case(markup):
            tab.open(document(tab.web, markup))
            report = audited(tab, "contrast")
            assert report["findings"] == []
            assert report["looked_at"]["texts"] == 2
            assert report["notes"] == [
                "The contrast of 1 texts is unknown: they are on images, or partly covered."
            ]


@pytest.mark.req("C-AUD-05", "C-AUD-07")
def test_a_contrast_finding_gives_the_ratio_and_the_colours(tab: Tab) -> None:
    tab.open(document(tab.web, "<p style='color: #aaa'>Pale"))

    [finding] = audited(tab, "contrast")["findings"]

    assert finding["severity"] == "error"
    for part in ("2.32", "#aaaaaa", "#ffffff", "4.5:1"):
        assert part in finding["message"]
