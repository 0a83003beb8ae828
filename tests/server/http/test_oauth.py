"""Tokens of an OAuth server: owners and refusals."""

import itertools
import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import jwt
import pytest
import trio
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from trio.testing import MockClock

from charlotte.server.http.access import OAuthIssuer
from tests.server.http.clients import Stateless
from tests.server.http.oauth import AUDIENCE, KEY, Provider, open_provider
from tests.server.http.stage import TOKEN, Logs, Running, open_http, reasons


@asynccontextmanager
async def open_pair(tmp_path: Path, **more: Any) -> AsyncGenerator[tuple[Provider, Running]]:
    async with open_provider(tmp_path) as provider:
        settings = {"oauth_issuer": provider.url, "oauth_audience": AUDIENCE, "no_auth": False}
        async with open_http(**settings, **more) as server:
            yield provider, server


async def test_a_token_of_the_issuer_for_this_server_is_accepted(tmp_path: Path) -> None:
    async with open_pair(tmp_path) as (provider, server):
        bearer = f"Bearer {provider.token()}"
        async with server.client(Stateless, authorization=bearer) as client:
            assert not (await client.call("noop"))["isError"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"key": ec.generate_private_key(ec.SECP256R1())},
        {"kid": "unknown"},
        {"iss": "https://other.example"},
        {"aud": "https://other.example/mcp"},
        {"exp": time.time() - 60},
        {"exp": None},
        {"sub": None},
    ],
    ids=["key", "kid", "iss", "aud", "expired", "no end", "no subject"],
)
async def test_every_other_token_is_refused_and_logged(
    tmp_path: Path, wrong: dict[str, Any], logs: Logs
) -> None:
    async with open_pair(tmp_path) as (provider, server):
        refused = await server.get("/mcp", authorization=f"Bearer {provider.token(**wrong)}")
    assert refused.status_code == 401
    assert reasons(logs) == ["wrong token"]


@pytest.mark.parametrize("token", ["nonsense", "a.b.c", jwt.encode({"sub": "ada"}, "", "none")])
async def test_an_unsigned_or_malformed_token_is_refused(tmp_path: Path, token: str) -> None:
    async with open_pair(tmp_path) as (_, server):
        refused = await server.get("/mcp", authorization=f"Bearer {token}")
    assert refused.status_code == 401


async def test_a_refusal_refers_to_the_metadata_of_the_oauth_server(tmp_path: Path) -> None:
    async with open_pair(tmp_path) as (provider, server):
        refused = await server.get("/mcp")
        metadata = await server.get("/.well-known/oauth-protected-resource/mcp")
        address = "https://charlotte.example/.well-known/oauth-protected-resource/mcp"
        assert refused.headers["www-authenticate"] == f'Bearer resource_metadata="{address}"'
        assert metadata.json()["resource"] == AUDIENCE
        assert metadata.json()["authorization_servers"] == [f"{provider.url}/"]


async def test_tokens_with_unknown_keys_fetch_the_keys_once(tmp_path: Path) -> None:
    async with open_pair(tmp_path) as (provider, server):
        for kid in ("one", "two", "three"):
            await server.get("/mcp", authorization=f"Bearer {provider.token(kid=kid)}")
        asked = [request.path for request in provider.site.requests]
    assert asked.count("/keys") == 1


async def test_the_shared_token_is_accepted_together_with_oauth(tmp_path: Path) -> None:
    async with open_pair(tmp_path, auth_token=TOKEN) as (_, server):
        metrics = await server.get("/metrics", authorization=f"Bearer {TOKEN}")
    assert metrics.status_code == 200


async def test_a_session_is_not_found_with_the_token_of_another_user(
    tmp_path: Path, logs: Logs
) -> None:
    async with open_pair(tmp_path) as (provider, server):
        mine, other = (f"Bearer {provider.token(sub=sub)}" for sub in ("ada", "eve"))
        async with (
            server.client(Stateless, authorization=mine) as me,
            server.client(Stateless, authorization=other) as eve,
        ):
            await me.call("noop")
            eve.session = me.session
            refused = await eve.call("noop")
            assert "SESSION_ERROR" in refused["content"][0]["text"]
            assert (await eve.leave()).status_code >= 400
            assert not (await me.call("noop"))["isError"]
    assert reasons(logs) == ["foreign", "no such session"]


async def test_a_known_key_does_not_wait_for_the_fetch_of_an_unknown_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_provider(tmp_path) as provider:
        issuer = OAuthIssuer(provider.url, AUDIENCE)
        key = json.loads(ECAlgorithm.to_jwk(KEY.public_key())) | {"kid": "first", "alg": "ES256"}
        known: dict[str | None, jwt.PyJWK] = {"first": jwt.PyJWK(key)}
        fetching, fetches = trio.Event(), itertools.count()

        async def fetch(_: OAuthIssuer) -> dict[str | None, jwt.PyJWK]:
            if next(fetches) > 0:
                fetching.set()
                await trio.sleep_forever()
            return dict(known)

        monkeypatch.setattr(OAuthIssuer, "_fetch", fetch)
        assert await issuer.verify_token(provider.token())
        await trio.sleep(61)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(issuer.verify_token, provider.token(kid="unknown"))
            await fetching.wait()
            since = trio.current_time()
            assert await issuer.verify_token(provider.token())
            assert trio.current_time() == since
        assert trio.current_time() == since + 10


async def test_metrics_are_refused_with_the_token_of_a_user(tmp_path: Path) -> None:
    async with open_pair(tmp_path) as (provider, server):
        refused = await server.get("/metrics", authorization=f"Bearer {provider.token()}")
    assert refused.status_code == 401
