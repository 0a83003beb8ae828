"""The first rule that matches a call or a request decides on it."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charlotte.guard.rule_files import PRESETS, read_policy
from charlotte.guard.rules import ALLOW, Action, Policy, PolicyRequest, Rule

URL = "https://shop.test/orders?a=1"


def decide(request: PolicyRequest, *rules: Rule) -> Action:
    return Policy(rules).decide(request).action


def rule(action: Action = "refuse", **conditions: Any) -> Rule:
    return Rule(name="r", action=action, **conditions)


@pytest.mark.parametrize(
    ("conditions", "matches"),
    [
        ({}, True),
        ({"method": ["POST"]}, True),
        ({"method": ["PUT", "DELETE"]}, False),
        ({"method": ["!GET"]}, True),
        ({"method": ["!POST"]}, False),
        ({"method": ["*", "!P*"]}, False),
        ({"origin": ["https://shop.test"]}, True),
        ({"origin": ["https://*.shop.test"]}, False),
        ({"origin": ["http://shop.test"]}, False),
        ({"path": ["/orders"]}, True),
        ({"path": ["/orders?a=1"]}, False),
        ({"path": ["/ord*", "!/orders"]}, False),
        ({"files": True}, False),
        ({"method": ["POST"], "path": ["/cart"]}, False),
        ({"tool": ["click"], "method": ["POST"]}, True),
        ({"tool": ["type"], "method": ["POST"]}, False),
    ],
)
def test_all_conditions_of_a_rule_must_hold(conditions: dict[str, Any], matches: bool) -> None:  # noqa: FBT001
    request = PolicyRequest("POST", URL, tools={"click"})
    assert decide(request, rule(**conditions)) == ("refuse" if matches else "allow")


def test_a_request_without_a_rule_is_allowed() -> None:
    assert Policy().decide(PolicyRequest("POST", URL)) == ALLOW


def test_an_encoded_path_is_refused_but_never_allowed_as_another() -> None:
    encoded = PolicyRequest("POST", "https://shop.test/%6frders")
    assert decide(encoded, rule(path=["/orders"])) == "refuse"
    allowing = rule("allow", path=["/orders"]), rule()
    assert decide(encoded, *allowing) == "refuse"
    assert decide(PolicyRequest("POST", URL), *allowing) == "allow"


def test_a_rule_on_calls_does_not_decide_on_requests() -> None:
    on_calls = rule(tool=["evaluate"], origin=["https://shop.test"])
    policy = Policy((on_calls,))
    assert policy.decide_call({"evaluate"}, "https://shop.test").action == "refuse"
    assert policy.decide_call({"evaluate"}, "https://other.test").action == "allow"
    assert policy.decide_call({"click"}, "https://shop.test").action == "allow"
    assert policy.decide(PolicyRequest("POST", URL, tools={"evaluate"})) == ALLOW
    assert not policy.decides_on_requests


# ---------------------------------------------------------------------------- properties

TEXTS = st.text("aB/*?!%", max_size=4)
PATTERNS = st.lists(TEXTS.filter(bool), max_size=3)
METHODS = st.sampled_from(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PURGE"])
REQUESTS = st.builds(
    PolicyRequest,
    METHODS,
    st.builds("https://{}.test/{}".format, st.sampled_from("ab"), st.text("aB/%6f", max_size=5)),
    st.booleans(),
    st.frozensets(st.sampled_from(["click", "key"])),
)
RULES = st.builds(
    Rule,
    name=st.uuids().map(str),
    action=st.sampled_from(get_args(Action)),
    tool=PATTERNS,
    origin=st.lists(st.sampled_from(["https://*.test", "https://a.test", "!https://b.test"])),
    method=st.lists(st.sampled_from(["GET", "P*", "!PUT", "!GET"]), max_size=2),
    path=PATTERNS,
    files=st.booleans(),
)
POLICIES = st.lists(RULES, max_size=5).map(lambda rules: Policy(tuple(rules)))


@given(POLICIES, REQUESTS)
def test_the_first_matching_rule_decides(policy: Policy, request: PolicyRequest) -> None:
    matching = [rule for rule in policy.rules if rule.matches(request)]
    first = matching[0] if matching else ALLOW
    assert policy.decide(request) == first


@given(POLICIES, REQUESTS, RULES)
def test_a_later_rule_changes_no_decision_of_an_earlier_one(
    policy: Policy, request: PolicyRequest, later: Rule
) -> None:
    before = policy.decide(request)
    after = Policy((*policy.rules, later)).decide(request)
    assert after == before or (before == ALLOW and after == later)


@given(POLICIES, REQUESTS)
def test_a_request_that_is_surely_allowed_is_allowed_whatever_tool_runs(
    policy: Policy, request: PolicyRequest
) -> None:
    if policy.surely_allows(request):
        for tools in ((), ("click",), ("key", "click"), ("a",)):
            again = PolicyRequest(request.method, request.url, request.may_have_files, tools)
            assert policy.decide(again).action == "allow"


@given(REQUESTS)
def test_read_only_lets_exactly_the_safe_methods_pass(request: PolicyRequest) -> None:
    decision = read_policy(["read-only"]).decide(request)
    assert (decision.action == "allow") == (request.method in {"GET", "HEAD", "OPTIONS"})
    assert decision.action == "allow" or decision.name == "read-only"


def test_the_presets_refuse_uploads() -> None:
    assert {*PRESETS} == {"read-only", "no-downloads", "no-uploads"}
    file = PolicyRequest("POST", URL, may_have_files=True)
    for preset in ("read-only", "no-uploads"):
        policy = read_policy([preset])
        assert policy.decide_call({"upload"}, "").name == preset
        assert policy.decide(file).name == preset
    assert read_policy(["no-uploads"]).decide(PolicyRequest("POST", URL)) == ALLOW


def test_a_preset_after_a_file_of_rules_has_exceptions() -> None:
    search = Rule(name="search", action="allow", method=["POST"], path=["/search"])
    policy = Policy((search, *PRESETS["read-only"]))
    assert policy.decide(PolicyRequest("POST", "https://a.test/search")).name == "search"
    assert policy.decide(PolicyRequest("POST", "https://a.test/orders")).name == "read-only"
