"""Precedence of settings, errors for invalid ones, and routes that ``--only-host`` cannot close."""

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from charlotte import open_charlotte
from charlotte.base.errors import InvalidArgument
from charlotte.config.checks import check, check_containment, has_egress, open_routes
from charlotte.config.config import Config, fields
from charlotte.config.sources import LoadedConfig, load


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "charlotte.toml"
    path.write_text('viewport = "1x1"\nmax-chars = 1001\nsnapshot_depth = 11\n')
    return path


@pytest.mark.req("C-CONF-01")
def test_defaults_apply_without_flags_environment_and_file() -> None:
    loaded = load({}, {})
    assert loaded == LoadedConfig(Config(), {}, [])
    config = loaded.config
    assert (config.snapshot_depth, config.auto_snapshot) == (50, "every_action")


def test_flags_override_the_environment_which_overrides_the_file(file: Path) -> None:
    environ = {"CHARLOTTE_MAX_CHARS": "1002", "CHARLOTTE_SNAPSHOT_DEPTH": "12"}
    loaded = load({"snapshot_depth": "13", "max_chars": None}, environ, file)
    config = loaded.config
    assert loaded.sources == {
        "viewport": "file",
        "max_chars": "environment",
        "snapshot_depth": "flag",
    }
    assert (config.viewport, config.max_chars, config.snapshot_depth) == ("1x1", 1002, 13)


def test_a_file_can_be_json_and_use_the_names_of_flags(tmp_path: Path) -> None:
    path = tmp_path / "charlotte.json"
    path.write_text(json.dumps({"chromium-arg": ["--one", "--two"], "headed": True}))
    config = load({}, {}, path).config
    assert (config.chromium_arg, config.headed) == (("--one", "--two"), True)


def test_an_unknown_variable_causes_a_warning_with_the_most_similar_setting() -> None:
    environ = {"CHARLOTTE_LOG_LEVLE": "debug", "CHARLOTTE_CONFIG": "x", "HOME": "/"}
    warnings = load({}, environ).warnings
    assert warnings == ["CHARLOTTE_LOG_LEVLE is not a setting (did you mean CHARLOTTE_LOG_LEVEL?)"]


def test_a_variable_that_only_begins_like_the_settings_is_not_taken_for_one_of_them() -> None:
    warnings = load({}, {"CHARLOTTE_EXE": "/usr/bin/charlotte"}).warnings
    assert warnings == ["CHARLOTTE_EXE is not a setting"]


def test_an_unknown_key_in_the_file_is_an_error_that_names_the_key(file: Path) -> None:
    file.write_text('veiwport = "1x1"')
    with pytest.raises(
        InvalidArgument, match=r"'veiwport' is not a setting \(did you mean viewport"
    ):
        load({}, {}, file)


@pytest.mark.parametrize("text", ["viewport", "[1", "\0"])
def test_an_unreadable_file_is_an_error_that_names_the_file(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(
        InvalidArgument, match=r"charlotte\.toml is not valid TOML: .*(end of document|line 1)"
    ):
        load({}, {}, file)


def test_a_missing_file_is_named_once(tmp_path: Path) -> None:
    missing = tmp_path / "nope.toml"
    with pytest.raises(InvalidArgument) as raised:
        load({}, {}, missing)
    assert raised.value.message == f"Config file not found: {missing}."


def test_an_error_names_the_setting_as_it_was_set(file: Path) -> None:
    file.write_text("max-chars = 5")
    expected = "must be between 1000 and 400000, got"
    for flags, environ, given, written in (
        ({"max_chars": "5"}, {}, None, f"--max-chars {expected} 5."),
        ({}, {"CHARLOTTE_MAX_CHARS": "5"}, None, f"CHARLOTTE_MAX_CHARS {expected} 5."),
        ({}, {}, file, f"max_chars in {file} {expected} 5."),
    ):
        with pytest.raises(InvalidArgument) as raised:
            load(flags, environ, given)
        assert raised.value.message == written


def test_an_error_of_a_program_names_the_setting_as_its_parameter() -> None:
    with pytest.raises(InvalidArgument, match=r"^max_chars must be between 1000 and 400000, got 5"):
        check(Config(max_chars=5))
    with pytest.raises(InvalidArgument, match=r"^cdp_endpoint must be a ws:// or http:// URL, got"):
        Config(cdp_endpoint="bogus")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("log_level", "loud", "--log-level must be one of debug, info, warning, error, got 'loud'"),
        ("headed", "perhaps", "--headed must be true or false"),
        ("max_chars", "many", "--max-chars must be between 1000 and 400000, got many"),
        ("max_chars", "999", "--max-chars must be between 1000 and 400000, got 999"),
        ("snapshot_depth", "4", "--snapshot-depth must be between 5 and 500, got 4"),
        ("snapshot_depth", "501", "--snapshot-depth must be between 5 and 500, got 501"),
        ("viewport", "wide", "--viewport must be WIDTHxHEIGHT"),
        ("root", ["/no/such/place"], "--root must be a directory, got '/no/such/place'"),
        ("cdp_endpoint", "ftp://host", "--cdp-endpoint must be a ws:// or http:// URL"),
        ("attach", "chrom", "--attach must be one of chrome, chromium, edge, brave, chrome-beta"),
        ("attach", "chrom", "got 'chrom' (did you mean chrome?)"),
        ("attach", "ftp://host", "or a ws:// or http:// URL, got 'ftp://host'"),
        ("cdp_header", ["no colon"], "CHARLOTTE_CDP_HEADER must be an HTTP header, Name: value"),
        ("cdp_header", ["A: b\r\nC: d"], "CHARLOTTE_CDP_HEADER must be an HTTP header"),
        ("cdp_header", ["A: b"], "CHARLOTTE_CDP_HEADER is for a browser at a URL: set"),
        ("chromium", 1, "--chromium must be text, got 1"),
        ("block_host", ["http://a.test/"], "--block-host must be a host or an IP address, got"),
        ("block_host", ["10.0.0.0/8"], "--block-host must be a host or an IP address"),
        ("allow_host", ["a.test:80"], "--allow-host must be a host or an IP address"),
        ("http_credential", ["me"], "CHARLOTTE_HTTP_CREDENTIAL must be https://user"),
        ("port", 80, "--port is for servers over HTTP: add --http"),
        ("grant_permission", ["geolocatoin"], "(did you mean geolocation?)"),
        ("storage_state", "/no/such", "--storage-state must be a file, got '/no/such'"),
        ("storage_state", "", "--storage-state must be a file, got ''"),
        ("init_script", [""], "--init-script must be a file, got ''"),
        ("init_script", ["/no/such"], "--init-script must be a file, got '/no/such'"),
    ],
)
@pytest.mark.req("C-CFG-01")
def test_the_error_for_an_invalid_value_describes_valid_values(
    name: str, value: Any, expected: str
) -> None:
    with pytest.raises(InvalidArgument) as raised:
        load({name: value}, {})
    assert expected in raised.value.message


@pytest.mark.parametrize("host", ["ads.example", "localhost", "10.0.0.5", "::1", "bücher.example."])
def test_hosts_are_names_and_addresses(host: str) -> None:
    assert load({"block_host": [host]}, {}).config.block_host == (host,)


@pytest.mark.parametrize(
    ("flags", "environ", "expected"),
    [
        ("http", {}, "Set CHARLOTTE_AUTH_TOKEN"),
        ("http", {"no_auth": "true", "host": "192.0.2.1"}, "_NO_AUTH is allowed on loopback"),
        ("http", {"auth_token": "x", "port": "65536"}, "_PORT must be between 0 and 65535, got 6"),
        ("http attach", {"host": "192.0.2.1"}, "--attach is for agents on this machine"),
        ("http attach", {"server_name": "mcp.test"}, "--attach is for agents on this machine"),
        ("http attach", {"oauth_issuer": "https://id.test"}, "--attach is for agents on this mach"),
        ("user_data_dir", {"cdp_endpoint": "ws://x"}, "--user-data-dir cannot be combined"),
        ("attach", {"cdp_header": "A: b"}, "is for a browser at a URL"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(
    flags: str, environ: dict[str, str], expected: str
) -> None:
    values = {"http": True, "attach": "chrome", "user_data_dir": "profile"}
    given = {f"CHARLOTTE_{name.upper()}": value for name, value in environ.items()}
    with pytest.raises(InvalidArgument, match=expected):
        load({name: values[name] for name in flags.split()}, given)


def test_permissions_use_the_names_of_the_permissions_api() -> None:
    config = load({"grant_permission": ["camera", "geolocation"]}, {}).config
    assert config.permissions() == ("videoCapture", "geolocation")


def test_the_help_of_the_configuration_describes_every_setting() -> None:
    text = inspect.getdoc(Config) or ""
    assert all(f"{name}: {field.metadata['help']}" in text for name, field in fields().items())


def test_headers_of_the_endpoint_are_parsed_and_secret() -> None:
    environ = {
        "CHARLOTTE_CDP_ENDPOINT": "https://browsers.example",
        "CHARLOTTE_CDP_HEADER": "Authorization: Bearer 7f3a9-b2c4d",
    }
    config = load({}, environ).config
    assert config.headers() == (("Authorization", "Bearer 7f3a9-b2c4d"),)
    assert "7f3a9" not in repr(config)
    line = config.hidden.hidden("sent Bearer 7f3a9-b2c4d and 7f3a9-b2c4d")
    assert line == "sent <secret>CDP_HEADER</secret> and <secret>CDP_HEADER</secret>"


@pytest.mark.parametrize(
    "attach", ["chrome", "edge-beta", "~/agents", "/home/ada/agents", "ws://host/x", "https://host"]
)
def test_the_users_browser_is_a_name_a_directory_or_a_url(attach: str) -> None:
    assert load({}, {"CHARLOTTE_ATTACH": attach}).config.attach == attach


LISTED = ("a.test",)


@pytest.mark.parametrize(
    "config",
    [
        Config(only_host=LISTED),
        Config(only_host=LISTED, user_data_dir="profile"),
        Config(only_host=LISTED, proxy_server="http://proxy.test:3128"),
        Config(only_host=LISTED, chromium_arg=("--lang=de",)),
    ],
)
def test_a_browser_that_charlotte_starts_has_no_open_routes(config: Config) -> None:
    assert open_routes(config) == []
    check_containment(config)


@pytest.mark.parametrize(
    ("config", "route"),
    [
        (Config(only_host=LISTED, cdp_endpoint="http://127.0.0.1:9222"), "WebRTC over UDP"),
        (Config(only_host=LISTED, cdp_endpoint="ws://far.test/a"), "everything but documents"),
        (Config(only_host=LISTED, attach="chrome"), "tabs of the browser's owner"),
        (Config(only_host=LISTED, chromium_arg=("--no-proxy-server",)), "--no-proxy-server"),
        (Config(only_host=LISTED, chromium_arg=("--proxy-bypass-list=a",)), "--proxy-bypass-list"),
        (
            Config(only_host=LISTED, chromium_arg=("--host-resolver-rules=EXCLUDE a.test",)),
            "--host-resolver-rules",
        ),
    ],
)
def test_open_routes_are_named_and_must_be_accepted(config: Config, route: str) -> None:
    with pytest.raises(InvalidArgument, match=route):
        check_containment(config)


def test_open_routes_are_accepted_only_of_a_contained_browser() -> None:
    with pytest.raises(InvalidArgument, match="add --only-host"):
        load({"allow_open_routes": True}, {})


@pytest.mark.parametrize("proxy", ["proxy.test:3128", "socks4://a.test:1", "http=a.test:1"])
def test_an_upstream_proxy_must_be_of_a_known_kind(proxy: str) -> None:
    with pytest.raises(InvalidArgument, match="--proxy-server must be"):
        load({"only_host": ["a.test"], "proxy_server": proxy}, {})


def test_an_invalid_pattern_is_refused_at_the_start() -> None:
    with pytest.raises(InvalidArgument, match="--only-host must be a host"):
        load({"only_host": ["http://a.test"]}, {})


def test_a_browser_on_another_machine_cannot_use_the_proxy() -> None:
    assert has_egress(Config(cdp_endpoint="ws://[::1]:9222/a"))
    assert has_egress(Config(attach="chrome"))
    assert not has_egress(Config(cdp_endpoint="ws://far.test:9222/a"))


async def test_embedding_refuses_open_routes_too() -> None:
    config = Config(only_host=LISTED, chromium_arg=("--no-proxy-server",))
    with pytest.raises(InvalidArgument, match="no-proxy-server"):
        async with open_charlotte(config):
            pass
