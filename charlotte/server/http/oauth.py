"""Accepts the tokens of an OAuth server, and tells clients which that is (RFC 9728).

Charlotte issues no tokens: a client that is refused reads in the metadata where to log in, and
comes back with a JWT that is signed by that server and meant for this one.
"""

from collections.abc import Sequence
from typing import Any, cast

import attrs
import httpx2
import jwt
import structlog
import trio
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.routes import build_resource_metadata_url, create_protected_resource_routes
from pydantic import AnyHttpUrl
from starlette.routing import Route

from charlotte.config import Config
from charlotte.server.http.bearer import SharedToken

_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"]
_REQUIRED = ["exp", "iss", "aud", "sub"]
_DISCOVERY = "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"
_FETCH_AGAIN = 60.0
_PATIENCE = 10.0
_FAILURES = jwt.PyJWTError, httpx2.HTTPError, trio.TooSlowError

log = structlog.get_logger(__name__)


@attrs.define(eq=False)
class Issuer(TokenVerifier):
    """The tokens of one OAuth server; its keys are fetched when one is not known yet."""

    url: str
    audience: str
    _keys: dict[str | None, jwt.PyJWK] = attrs.field(factory=dict[str | None, jwt.PyJWK])
    _fetched: float = float("-inf")
    _turn: trio.Lock = attrs.field(factory=trio.Lock)

    async def verify_token(self, token: str) -> AccessToken | None:
        """Say whom a token was given to; None if it is not valid here."""
        try:
            key = await self._key(jwt.get_unverified_header(token).get("kid"))
            claims = self._claims(token, key)
        except (*_FAILURES, LookupError, ValueError) as error:
            log.info("token not accepted", issuer=self.url, error=repr(error)[:300])
            return None
        return AccessToken(
            token="",
            client_id=str(claims.get("client_id") or claims.get("azp") or claims["sub"]),
            scopes=str(claims.get("scope", "")).split(),
            expires_at=int(claims["exp"]),
            subject=str(claims["sub"]),
            claims={"iss": claims["iss"]},
        )

    def _claims(self, token: str, key: jwt.PyJWK) -> dict[str, Any]:
        return jwt.decode(
            token,
            key,
            algorithms=_ALGORITHMS,
            audience=self.audience,
            issuer=self.url,
            options={"require": _REQUIRED},
        )

    async def _key(self, name: str | None) -> jwt.PyJWK:
        """Return a key; only tokens with unknown keys wait for a fetch, of one at a time.

        Anybody can name an unknown key, so keys are fetched once a minute at most.
        """
        if name not in self._keys:
            async with self._turn:
                if name not in self._keys and trio.current_time() > self._fetched + _FETCH_AGAIN:
                    self._fetched = trio.current_time()
                    with trio.fail_after(_PATIENCE):
                        self._keys = await self._fetch()
        return self._keys[name]

    async def _fetch(self) -> dict[str | None, jwt.PyJWK]:
        async with httpx2.AsyncClient(timeout=_PATIENCE) as http:
            found = [await http.get(self.url.rstrip("/") + path) for path in _DISCOVERY]
            told = next((one for one in found if one.is_success), found[0])
            address = cast("str", told.raise_for_status().json()["jwks_uri"])
            keys = (await http.get(address)).raise_for_status().json()
        return {key.key_id: key for key in jwt.PyJWKSet.from_dict(keys).keys}


@attrs.frozen
class AnyOf(TokenVerifier):
    """Accepts what one of several accepts."""

    _verifiers: Sequence[TokenVerifier]

    async def verify_token(self, token: str) -> AccessToken | None:
        """Ask one after the other."""
        for verifier in self._verifiers:
            if access := await verifier.verify_token(token):
                return access
        return None


def verifier_of(config: Config) -> TokenVerifier | None:
    """What decides about tokens; None if none are wanted."""
    verifiers: list[TokenVerifier] = []
    if config.auth_token:
        verifiers.append(SharedToken(config.auth_token))
    if config.oauth_issuer and config.oauth_audience:
        verifiers.append(Issuer(config.oauth_issuer, config.oauth_audience))
    return AnyOf(verifiers) if verifiers else None


def challenge(config: Config) -> str:
    """Where a client that is refused reads how to log in."""
    if not config.oauth_audience:
        return ""
    url = build_resource_metadata_url(AnyHttpUrl(config.oauth_audience))
    return f'resource_metadata="{url}"'


def metadata_routes(config: Config) -> list[Route]:
    """What it reads there."""
    if not (config.oauth_issuer and config.oauth_audience):
        return []
    return create_protected_resource_routes(
        resource_url=AnyHttpUrl(config.oauth_audience),
        authorization_servers=[AnyHttpUrl(config.oauth_issuer)],
    )
