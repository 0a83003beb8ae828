"""Records and CDP's JSON say the same, both ways, for every command and event we have."""

import json
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Literal, get_args, get_origin

import attrs
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from charlotte import protocol
from charlotte.protocol import page, runtime, target
from charlotte.protocol.wire import CdpEvent, Command, camel, wire

INFRASTRUCTURE = {"connection", "errors", "session", "transport", "wire"}
DOMAINS = [
    import_module(f"charlotte.protocol.{module.name}")
    for module in iter_modules(protocol.__path__)
    if module.name not in INFRASTRUCTURE
]

COUNTED_ONLY = {runtime.Logged, runtime.Thrown}
"""Second forms of events, for those who only count how many there are."""

RECORDS: dict[ModuleType, list[type[Any]]] = {
    domain: [
        one
        for one in vars(domain).values()
        if isinstance(one, type) and attrs.has(one) and one.__module__ == domain.__name__
    ]
    for domain in DOMAINS
}
ALL = [one for records in RECORDS.values() for one in records]
COMMANDS: list[type[Command[Any]]] = [one for one in ALL if issubclass(one, Command)]
EVENTS = [one for one in ALL if issubclass(one, CdpEvent)]

JSON_VALUES = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
KNOWN: dict[Any, st.SearchStrategy[Any]] = {
    str: st.text(max_size=5),
    int: st.integers(),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    Any: JSON_VALUES,
}


def of_type(kind: Any) -> st.SearchStrategy[Any]:
    """Values of the types that fields have: JSON's, records, lists of them, or None."""
    if kind in KNOWN:
        return KNOWN[kind]
    arguments = get_args(kind)
    if get_origin(kind) is Literal:
        return st.sampled_from(arguments)
    if get_origin(kind) is dict:
        return st.dictionaries(st.text(max_size=5), of_type(arguments[1]), max_size=2)
    if get_origin(kind) is list:
        return st.lists(of_type(arguments[0]), max_size=2)
    if arguments:
        return st.none() | of_type(arguments[0])
    return st.deferred(lambda: records(kind))


def records(kind: type[Any]) -> st.SearchStrategy[Any]:
    if kind not in KNOWN:
        fields = attrs.fields(attrs.resolve_types(kind))
        KNOWN[kind] = st.builds(kind, **{one.alias: of_type(one.type) for one in fields})
    return KNOWN[kind]


def over_the_wire(record: Any, kind: type[Any]) -> Any:
    return wire.structure(json.loads(json.dumps(wire.unstructure(record))), kind)


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.__name__)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_every_record_survives_a_round_trip(domain: ModuleType, data: st.DataObject) -> None:
    for kind in set(RECORDS[domain]):
        record = data.draw(records(kind))
        assert over_the_wire(record, kind) == record


@given(st.lists(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1), min_size=1, max_size=4))
def test_names_become_camel_case_reversibly(words: list[str]) -> None:
    assume("api" not in words[1:])  # which CDP spells in capitals
    spelled = camel("_".join(words))

    assert spelled.lower() == "".join(words)
    assert [letter for letter in spelled if letter.isupper()] == [
        word[0].upper() for word in words[1:]
    ]


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.method)
def test_a_command_knows_its_method_and_its_return_type(kind: type[Command[Any]]) -> None:
    domain, name = kind.method.split(".")

    assert name == camel(name[0].lower() + name[1:])
    assert domain.isalpha()
    assert attrs.has(kind.returns) or kind.result


def test_no_two_commands_and_no_two_events_have_the_same_method() -> None:
    commands = [one.method for one in COMMANDS]
    events = [one.method for one in EVENTS if one not in COUNTED_ONLY]

    assert len(set(commands)) == len(commands)
    assert len(set(events)) == len(events)


def test_absent_fields_inside_lists_are_not_sent() -> None:
    command = target.SetAutoAttach(
        auto_attach=True, wait_for_debugger_on_start=True, filter=[target.FilterEntry(type="page")]
    )

    assert wire.unstructure(command) == {
        "autoAttach": True,
        "waitForDebuggerOnStart": True,
        "flatten": True,
        "filter": [{"type": "page", "exclude": False}],
    }


def test_unknown_fields_are_ignored() -> None:
    message = {"frameId": "F", "url": "http://a.test/", "aFieldOfNextYear": [1, {"a": 2}]}

    assert wire.structure(message, page.NavigatedWithinDocument) == page.NavigatedWithinDocument(
        "F", "http://a.test/"
    )


def test_a_frame_tree_is_parsed_to_its_leaves() -> None:
    def frame(name: str) -> dict[str, Any]:
        return {"id": name, "loaderId": f"L{name}", "url": ""}

    tree = wire.structure(
        {"frame": frame("a"), "childFrames": [{"frame": frame("b")}]}, page.FrameInfoTree
    )

    assert tree.child_frames == [page.FrameInfoTree(page.FrameInfo("b", "Lb", ""))]


def test_a_message_without_required_fields_is_rejected() -> None:
    with pytest.raises(KeyError):
        wire.structure({"frameId": "F"}, page.NavigatedWithinDocument)
