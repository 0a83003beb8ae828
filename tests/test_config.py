"""Where a setting comes from when it is given more than once, and what is said of a wrong one."""

import json
from pathlib import Path
from typing import Any

import pytest

from charlotte.config import Config, load
from charlotte.errors import InvalidArgument


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "charlotte.toml"
    path.write_text('viewport = "1x1"\nmax-chars = 1001\nsnapshot_depth = 11\n')
    return path


@pytest.mark.req("C-CONF-01")
def test_without_anything_given_the_defaults_hold() -> None:
    assert load({}, {}) == (Config(), [])


def test_flags_win_over_the_environment_and_that_over_the_file(file: Path) -> None:
    environ = {"CHARLOTTE_MAX_CHARS": "1002", "CHARLOTTE_SNAPSHOT_DEPTH": "12"}
    config, _ = load({"snapshot_depth": "13", "max_chars": None}, environ, file)
    assert (config.viewport, config.max_chars, config.snapshot_depth) == ("1x1", 1002, 13)


def test_a_file_may_be_json_and_spell_settings_as_flags(tmp_path: Path) -> None:
    path = tmp_path / "charlotte.json"
    path.write_text(json.dumps({"chromium-arg": ["--one", "--two"], "headed": True}))
    config, _ = load({}, {}, path)
    assert (config.chromium_arg, config.headed) == (("--one", "--two"), True)


def test_an_unknown_variable_is_a_warning_that_names_the_nearest_setting() -> None:
    _, warnings = load({}, {"CHARLOTTE_LOG_LEVLE": "debug", "CHARLOTTE_CONFIG": "x", "HOME": "/"})
    assert warnings == [
        "CHARLOTTE_LOG_LEVLE is set, but is no setting (did you mean CHARLOTTE_LOG_LEVEL?)"
    ]


def test_an_unknown_key_of_the_file_is_an_error_that_names_it(file: Path) -> None:
    file.write_text('veiwport = "1x1"')
    with pytest.raises(InvalidArgument, match=r"'veiwport' is no setting \(did you mean viewport"):
        load({}, {}, file)


@pytest.mark.parametrize("text", ["viewport", "[1", "\0"])
def test_a_file_that_cannot_be_read_is_an_error_that_names_it(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(InvalidArgument, match=r"charlotte\.toml cannot be read"):
        load({}, {}, file)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("log_level", "loud", "log_level is one of debug, info, warning, error, not 'loud'"),
        ("headed", "perhaps", "headed is true or false"),
        ("max_chars", "many", "max_chars is a whole number from 1"),
        ("max_chars", "999", "max_chars is 1000 to 400000, not 999"),
        ("snapshot_depth", "4", "snapshot_depth is 5 to 500, not 4"),
        ("snapshot_depth", "501", "snapshot_depth is 5 to 500, not 501"),
        ("viewport", "wide", "viewport is WIDTHxHEIGHT"),
        ("root", ["/no/such/place"], "root is a directory, not '/no/such/place'"),
        ("cdp_endpoint", "ftp://host", "cdp_endpoint is a ws:// or http:// address"),
        ("chromium", 1, "chromium is a text, not 1"),
    ],
)
@pytest.mark.req("C-CFG-01")
def test_a_wrong_value_is_an_error_that_says_what_is_right(
    name: str, value: Any, said: str
) -> None:
    with pytest.raises(InvalidArgument) as raised:
        load({name: value}, {})
    assert said in raised.value.message


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({}, "set CHARLOTTE_AUTH_TOKEN"),
        ({"CHARLOTTE_NO_AUTH": "true", "CHARLOTTE_HOST": "192.0.2.1"}, "no_auth is for loopback"),
        ({"CHARLOTTE_AUTH_TOKEN": "x", "CHARLOTTE_PORT": "65536"}, "port is at most 65535"),
    ],
)
def test_over_http_nobody_is_let_in_by_mistake(environ: dict[str, str], said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        load({"http": True}, environ)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.2", "::1"])
def test_on_this_machine_a_token_may_be_waived(host: str) -> None:
    config, _ = load({"http": True, "no_auth": True, "host": host, "port": "0"}, {})
    assert (config.host, config.port) == (host, 0)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"grant_permission": ["geolocatoin"]}, "(did you mean geolocation?)"),
        ({"storage_state": "/no/such/file"}, "storage_state is a file, not '/no/such/file'"),
        ({"init_script": ["/no/such/file"]}, "init_script is a file, not '/no/such/file'"),
        ({"user_data_dir": "profile", "cdp_endpoint": "ws://x"}, "user_data_dir is for one"),
    ],
)
def test_what_a_session_cannot_begin_with_is_said(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidArgument) as raised:
        load(given, {})
    assert said in raised.value.message


def test_permissions_go_by_the_names_of_the_web() -> None:
    config, _ = load({"grant_permission": ["camera", "geolocation"]}, {})
    assert config.permissions() == ("videoCapture", "geolocation")
