"""An OAuth server for tests."""

import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from starlette.responses import Response

from tests.site.routes import always
from tests.site.server import Site, open_site

AUDIENCE = "https://charlotte.example/mcp"
KEY = ec.generate_private_key(ec.SECP256R1())
DISCOVERY = "/.well-known/oauth-authorization-server"


def _as_json(value: object) -> Response:
    return Response(json.dumps(value).encode(), media_type="application/json")


@attrs.define(eq=False)
class Provider:
    """An OAuth server that has issued keys; it gives out tokens."""

    site: Site

    @property
    def url(self) -> str:
        return self.site.url("")

    def token(self, key: Any = KEY, kid: str = "first", **claims: Any) -> str:
        merged: dict[str, Any] = {
            "iss": self.url,
            "aud": AUDIENCE,
            "sub": "ada",
            "exp": time.time() + 60,
        }
        merged |= claims
        kept = {name: value for name, value in merged.items() if value is not None}
        return jwt.encode(kept, key, algorithm="ES256", headers={"kid": kid})


@asynccontextmanager
async def open_provider(tmp_path: Path) -> AsyncGenerator[Provider]:
    key = json.loads(ECAlgorithm.to_jwk(KEY.public_key())) | {"kid": "first", "alg": "ES256"}
    async with open_site(tmp_path, routes={}) as site:
        site.routes = {
            DISCOVERY: always(_as_json({"jwks_uri": site.url("/keys")})),
            "/keys": always(_as_json({"keys": [key]})),
        }
        yield Provider(site)
