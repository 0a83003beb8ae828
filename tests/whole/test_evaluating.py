"""evaluate: console semantics, values, errors and timeouts."""

from typing import Any

import pytest

from tests.whole.answers import new_texts
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

VALUES: dict[str, object] = {
    "1 + 1": 2,
    "\n1+1": 2,
    "var g = 1; g + 1": 2,
    "var a = 1\nvar b = 2\na + b": 3,
    "const line = 3;\nconst gutter = 4;\n`line=${line} gutter=${gutter}`": "line=3 gutter=4",
    "(() => { return 3 })()": 3,
    "(function () { return [1, 'a', null] })()": [1, "a", None],
    "({a: 1, b: {c: []}})": {"a": 1, "b": {"c": []}},
    "{a: 1, b: 2}": {"a": 1, "b": 2},
    "if (true) { 'yes' } else { 'no' }": "yes",
    "for (var n = 0; n < 5; n++) n": 4,
    "// a comment\n'after it' // and one more": "after it",
    "await Promise.resolve('awaited')": "awaited",
    "const reply = await fetch('/echo'); reply.status": 200,
    "Promise.resolve(7)": 7,
    "new Promise((resolve) => setTimeout(resolve, 50, 'later'))": "later",
    "'\\u0000 \\ud83d\\ude00'": "\x00 \N{GRINNING FACE}",
}


@pytest.mark.req("C-EVAL-01", "P-05", "P-06", "P-07", "P-08")
def test_evaluate_returns_the_value_of_the_last_statement(tab: Tab) -> None:
    tab.open("/counter.html")

    assert {expression: tab.js(expression) for expression in VALUES} == VALUES


@pytest.mark.parametrize(
    "hostile",
    [
        "Map = Set = WeakMap = null",
        "Array.prototype.toJSON = Object.prototype.toJSON = () => 'x'",
        "Object.keys = Object.getPrototypeOf = Array.prototype.includes = () => null",
        "Array.prototype[Symbol.iterator] = Array.prototype.push = null; Object = Node = 0",
    ],
)
def test_a_page_that_replaces_builtins_does_not_change_values(tab: Tab, hostile: str) -> None:
    tab.open(f"<script>{hostile}</script>")

    assert tab.js("[1, {a: [2, 'b']}]") == [1, {"a": [2, "b"]}]


TYPES: dict[str, tuple[object, str]] = {
    "1.5": (1.5, "number"),
    "'a'": ("a", "string"),
    "true": (True, "boolean"),
    "null": (None, "null"),
    "undefined": (None, "undefined"),
    "var x = 1": (None, "undefined"),
    "": (None, "undefined"),
    "NaN": ("NaN", "number"),
    "-0": (-0.0, "number"),
    "1 / 0": ("Infinity", "number"),
    "10n ** 20n": ("100000000000000000000n", "bigint"),
    "() => 1": ("() => 1", "function"),
    "Symbol('a')": ("Symbol(a)", "symbol"),
    "document.querySelector('#count')": ("button#count", "node"),
    "[1]": ([1], "array"),
    "({a: 1})": ({"a": 1}, "object"),
}


@pytest.mark.smoke
@pytest.mark.req("C-EVAL-01", "P-08")
def test_evaluate_returns_values_with_their_type(tab: Tab) -> None:
    tab.open("/counter.html")

    answers = {expression: tab.call("evaluate", expression=expression) for expression in TYPES}

    assert {key: (one["value"], one["type"]) for key, one in answers.items()} == TYPES


PLAIN: dict[str, Any] = {
    "({a: [1, {b: 'c'}], d: null, e: undefined})": {"a": [1, {"b": "c"}], "d": None},
    "[1n, NaN, -Infinity, undefined]": ["1n", "NaN", "-Infinity", None],
    "({say() {}, sign: Symbol('s')})": {"say": "ƒ say()", "sign": "Symbol(s)"},
    "const ring = {n: 1}; ring.self = ring; ring": {"n": 1, "self": "[Circular]"},
    "const shared = {}; [shared, shared]": [{}, {}],
    "({get bad() { throw 1 }, good: 2})": {"bad": "[throws 1]", "good": 2},
    "new (class { get worse() { throw 2 } })()": {},
    "const hides = Object.create({get hidden() { throw 3 }, shown: 4, say() {}}); hides":
        {"hidden": "[throws 3]", "shown": 4},
    "new Date(0)": "1970-01-01T00:00:00.000Z",
    "new URL('http://a.test/x')": "http://a.test/x",
    "new Map([['a', 1]])": [["a", 1]],
    "new Set([1])": [1],
    "new Error('no error')": "Error: no error",
    "[/x/g]": ["/x/g"],
    "new Headers({a: 'b'})": [["a", "b"]],
    "new DOMRect(1, 2, 3, 4)":
        {"x": 1, "y": 2, "width": 3, "height": 4, "top": 2, "right": 4, "bottom": 6, "left": 1},
    "[...document.querySelectorAll('#count')]": ["button#count"],
    "[document, document.createTextNode(''), window]": ["#document", "#text", "[object Window]"],
    "document.querySelector('#count').attributes": ['type="button"', 'id="count"'],
    "matchMedia('print')": {"media": "print", "matches": False, "onchange": None},
    "{ let inner = 3; inner }": 3,
}  # fmt: skip


def test_objects_are_returned_with_their_contents(tab: Tab) -> None:
    tab.open("/counter.html")
    assert {key: tab.js(key) for key in PLAIN} == PLAIN


@pytest.mark.req("C-EVAL-03")
def test_evaluate_awaits_a_promise_by_default(tab: Tab) -> None:
    tab.open("/counter.html")
    assert tab.js("Promise.resolve({a: [1]})") == {"a": [1]}

    answer = tab.call("evaluate", expression="Promise.resolve(1)", await_promise=False)

    assert answer["type"] == "promise"
    assert "Promise" in answer["value"]


THROWN = {
    "throw new TypeError('no tea')": "TypeError: no tea",
    "throw 'a string'": "a string",
    "throw undefined": "undefined",
    "throw null": "null",
    "throw true": "true",
    "nowhere.at.all": "nowhere is not defined",
    "const = 1": "SyntaxError",
    "Promise.reject(new Error('refused'))": "refused",
    "await Promise.reject(new RangeError('too far'))": "RangeError: too far",
    "(() => { throw Object.assign(new Error('deep'), {code: 1}) })()": "deep",
}


@pytest.mark.req("C-EVAL-04", "P-21")
def test_a_thrown_value_is_reported_in_the_error(tab: Tab) -> None:
    tab.open("/counter.html")

    for expression, expected in THROWN.items():
        error = tab.refused("evaluate", expression=expression)

        assert error["code"] == "EVALUATION_ERROR"
        assert expected in error["message"]


@pytest.mark.req("C-EVAL-02")
def test_an_endless_script_ends_at_the_timeout_and_the_tab_stays_usable(tab: Tab) -> None:
    cases = [
        "while (true);",
        "(() => { for (;;); })()",
        "await (async () => { while (true); })()",
        "new Promise(() => {})",
        "await new Promise(() => {})",
        "Promise.resolve().then(() => { while (true); })",
    ]

    for expression in cases:
        with case(expression):
            tab.open("/counter.html")

            reply = tab.reply("evaluate", expression=expression, timeout=300)

            assert reply.error["code"] == "TIMEOUT"
            assert "300 ms" in reply.error["message"]
            assert "The count is 1." in new_texts(tab.click("Clicked 0"))


def test_a_script_that_navigates_ends_with_an_error(tab: Tab) -> None:
    tab.open("/counter.html")

    reply = tab.reply("evaluate", expression="location = '/form.html'; await new Promise(() => {})",
                      timeout=30_000)  # fmt: skip

    assert reply.error["code"] == "EVALUATION_ERROR"
    assert tab.call("observe")["url"] == tab.web.url("/form.html")


def test_evaluate_runs_in_the_page_with_user_activation(tab: Tab) -> None:
    tab.open("/popup.html")

    assert tab.js("navigator.userActivation.isActive") is True
    assert tab.js("document.querySelector('h1').textContent") == "New windows"


ROWS = "<ul><li>One <button>Buy</button></li><li>Two <button>Keep</button></li></ul>"


@pytest.mark.req("C-EVAL-01")
def test_a_script_can_use_the_given_element(tab: Tab) -> None:
    tab.open(f"<script>var element = 'its own'</script>{ROWS}")
    keep = tab.find("Keep")

    about = tab.js("const {tagName} = element; [tagName, element.closest('li').innerText]",
                   element_id=keep)  # fmt: skip
    later = tab.js("await new Promise((done) => setTimeout(done, 30)); element.textContent",
                   element_id=keep)  # fmt: skip

    assert about == ["BUTTON", "Two Keep"]
    assert later == "Keep"
    assert tab.js("element") == "its own"


def test_a_script_with_an_element_of_a_frame_runs_in_that_frame(tab: Tab) -> None:
    inner = tab.web.url(tab.web.write("<script>var who = 'inner'</script><button>Deep</button>"),
                        host="localhost")  # fmt: skip
    tab.open(f"<script>var who = 'outer'</script><iframe src='{inner}'></iframe>")

    assert tab.js("[who, element.textContent]", element_id=tab.find("Deep")) == ["inner", "Deep"]
    assert tab.js("[who, typeof element]") == ["outer", "undefined"]


def test_a_huge_value_is_truncated(tab: Tab) -> None:
    tab.open(ROWS)
    cases = ["'\"'.repeat(1e6)", "Array.from({length: 1e5}, (_, n) => n)"]

    for huge in cases:
        with case(huge):
            reply = tab.reply("evaluate", expression=huge)

            assert len(reply.text) <= 40_000
            cut = reply.json["truncation"]
            assert cut["total"] > 500_000
            assert cut["returned"] == len(reply.json["value"]) > 10_000


@pytest.mark.req("P-06")
def test_names_can_be_redeclared_and_persist(tab: Tab) -> None:
    tab.open("/counter.html")

    for number in (1, 2):
        assert tab.js(f"const a = {number}; let b = a; var c = b; class D {{}}; a") == number

    assert tab.js("a + b + c") == 6


def test_redeclaring_a_name_fails_with_a_suggestion_to_use_braces(tab: Tab) -> None:
    cases = [
        ("", "const a = 1", "let a = 2; a"),
        ("", "let a = 1", "const a = 2; a"),
        ("<script>const a = 1</script>", "0", "const a = 2; await a"),
    ]

    for of_page, before, again in cases:
        with case(of_page, before, again):
            tab.open(f"{of_page}<h1>Declares</h1>")
            tab.js(before)
            error = tab.refused("evaluate", expression=again)
            assert error["code"] == "EVALUATION_ERROR"
            assert "'a' has already been declared" in error["message"]
            assert "braces" in error["suggestion"]
            assert tab.js(f"{{ {again} }}") == 2
            assert tab.js("a") == 1
