"""A real authorization server on loopback and, on a second port, a real MCP server that wants its tokens.

`with guarded_server() as guarded` starts both in a process of their own. `guarded.change(…)` alters their ways,
`guarded.seen()` tells what they saw. PKCE, codes and clients are checked by the SDK's own handlers.
"""

import json
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import httpx2
import uvicorn
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    AuthorizeError,
    OAuthAuthorizationServerProvider,
    ProviderTokenVerifier,
    RefreshToken,
    RegistrationError,
    construct_redirect_uri,
)
from mcp.server.auth.routes import build_metadata, create_auth_routes
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyHttpUrl, AnyUrl
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

sys.path.insert(0, str(Path(__file__).parents[1]))  # as a script, it is started from anywhere

from tests.server_process import free_port, running

SCOPE = "tools"
CANARY = "CANARY"  # every token begins with it: no output may hold it
USUAL: dict[str, Any] = {
    "lifetime": 3600,
    "rotates": True,
    "deny": False,  # the person says no
    "state": "",  # sent back instead of the right one
    "challenge": "",  # remembered instead of the client's PKCE challenge
    "registers": True,
    "public": True,  # registers clients that have no secret
    "token_status": 0,  # what the token endpoint answers to everything
    "token_body": "down",
    "metadata": {},  # changes to the metadata
    "oidc": False,  # metadata stands where OpenID Connect has it
    "known": [],  # clients that need no registration: by hand, or by a metadata document
}


@dataclass(frozen=True)
class Guarded:
    """The running pair, as the tests see it."""

    origin: str
    issuer: str
    url: str

    def change(self, **settings: Any) -> None:
        httpx2.post(f"{self.issuer}/settings", json=settings).raise_for_status()

    def seen(self) -> dict[str, Any]:
        found: dict[str, Any] = httpx2.get(f"{self.issuer}/seen").raise_for_status().json()
        return found


@contextmanager
def guarded_server(kind: str = "mcp") -> Iterator[Guarded]:
    """`kind` is "mcp" for Streamable HTTP or "sse"."""
    mcp, auth = free_port(), free_port()
    command = [sys.executable, __file__, str(mcp), str(auth), kind]
    with running(command, mcp):
        yield Guarded(f"http://127.0.0.1:{mcp}", f"http://127.0.0.1:{auth}", f"http://127.0.0.1:{mcp}/{kind}")


class Known(OAuthClientInformationFull):
    """A client that did not register itself: on loopback any port will do (RFC 8252, 7.3)."""

    def validate_redirect_uri(self, redirect_uri: AnyUrl | None) -> AnyUrl:
        assert redirect_uri is not None
        assert redirect_uri.host == "127.0.0.1"
        return redirect_uri


class Provider(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """Grants what it is asked for, without a page to click on, and counts."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.settings = dict(USUAL)
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.access: dict[str, AccessToken] = {}
        self.refresh: dict[str, RefreshToken] = {}
        self.seen: dict[str, Any] = {"authorize": [], "grants": [], "replayed": 0, "failed": 0, "stolen": []}

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        method = client_info.token_endpoint_auth_method
        if not self.settings["registers"] or (method == "none" and not self.settings["public"]):
            raise RegistrationError("invalid_client_metadata", "not here")
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        self.seen["authorize"].append({"client": client.client_id, "resource": params.resource})
        if self.settings["deny"]:
            raise AuthorizeError("access_denied", "the person said \x1b[31mno")
        code = secrets.token_urlsafe(32)
        self.codes[code] = AuthorizationCode(
            code=code,
            scopes=params.scopes or [SCOPE],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=self.settings["challenge"] or params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        state = self.settings["state"] or params.state
        return construct_redirect_uri(str(params.redirect_uri), code=code, state=state)

    async def load_authorization_code(
        self,
        client: OAuthClientInformationFull,  # noqa: ARG002 - the SDK's signature
        authorization_code: str,
    ) -> AuthorizationCode | None:
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        del self.codes[authorization_code.code]
        self.seen["grants"].append("authorization_code")
        return self.issue(client.client_id, authorization_code.scopes, authorization_code.resource)

    async def load_refresh_token(
        self,
        client: OAuthClientInformationFull,  # noqa: ARG002 - the SDK's signature
        refresh_token: str,
    ) -> RefreshToken | None:
        found = self.refresh.get(refresh_token)
        self.seen["replayed"] += found is None
        return found

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        self.seen["grants"].append("refresh_token")
        rotates = self.settings["rotates"]
        if rotates:
            del self.refresh[refresh_token.token]
        return self.issue(client.client_id, scopes, refresh_token.resource, rotates=rotates)

    def issue(
        self, client: str, scopes: list[str], resource: str | None, *, rotates: bool = True
    ) -> OAuthToken:
        lifetime = self.settings["lifetime"]
        access, refresh = (
            f"{CANARY}-{kind}-{secrets.token_hex(8)}.{int(time.time())}" for kind in ("access", "refresh")
        )
        expires = int(time.time() + lifetime) if lifetime else None
        self.access[access] = AccessToken(
            token=access, client_id=client, scopes=scopes, expires_at=expires, resource=resource
        )
        if rotates:
            self.refresh[refresh] = RefreshToken(
                token=refresh, client_id=client, scopes=scopes, resource=resource
            )
        return OAuthToken(
            access_token=access,
            expires_in=lifetime or None,
            scope=" ".join(scopes),
            refresh_token=refresh if rotates else None,
        )

    async def load_access_token(self, token: str) -> AccessToken | None:
        return self.access.get(token)

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        self.access.pop(token.token, None)
        self.refresh.pop(token.token, None)


provider = Provider()


async def change(request: Request) -> Response:
    """Settings by name; `reset`, `revoke_access` and `revoke_all` act at once."""
    wanted = json.loads(await request.body())
    if wanted.pop("reset", False):
        provider.reset()
    if wanted.pop("revoke_access", False):
        provider.access.clear()
    if wanted.pop("revoke_all", False):
        provider.access.clear()
        provider.refresh.clear()
    provider.settings |= wanted
    for name in provider.settings["known"]:
        provider.clients[name] = Known(client_id=name, token_endpoint_auth_method="none", scope=SCOPE)
    return JSONResponse(provider.settings)


async def seen(_request: Request) -> Response:
    about = [
        {"name": each.client_name, "method": each.token_endpoint_auth_method, "id": each.client_id}
        for each in provider.clients.values()
    ]
    return JSONResponse({**provider.seen, "clients": about})


async def thief(request: Request) -> Response:
    """Another host, as seen from the MCP server; it keeps whatever token is brought to it."""
    provider.seen["stolen"].append(request.headers.get("authorization", ""))
    return Response(status_code=401)


async def open_to_all(_request: Request) -> Response:
    return JSONResponse({"jsonrpc": "2.0", "id": 1, "result": {}})


async def only_a_key(_request: Request) -> Response:
    return Response("no", status_code=401)


def failing_on_request(app: Any) -> Any:
    """The token endpoint answers with the status that the settings name."""

    async def ask(scope: Any, receive: Any, send: Any) -> None:
        status = provider.settings["token_status"]
        if status and scope["type"] == "http" and scope["path"] == "/token":
            provider.seen["failed"] += 1
            await Response(provider.settings["token_body"], status_code=status)(scope, receive, send)
            return
        await app(scope, receive, send)

    return ask


def metadata_as_asked(issuer: str, options: ClientRegistrationOptions) -> list[Route]:
    """Metadata at the place of OAuth or of OpenID Connect, with the changes that the settings make."""
    usual = build_metadata(AnyHttpUrl(issuer), None, options, RevocationOptions())

    async def show(request: Request) -> Response:
        if request.url.path.endswith("openid-configuration") != provider.settings["oidc"]:
            return Response(status_code=404)
        return JSONResponse(usual.model_dump(mode="json", exclude_none=True) | provider.settings["metadata"])

    names = ("oauth-authorization-server", "openid-configuration")
    return [Route(f"/.well-known/{name}", show) for name in names]


def authorization_app(issuer: str) -> Any:
    options = ClientRegistrationOptions(enabled=True, valid_scopes=[SCOPE], default_scopes=[SCOPE])
    routes = metadata_as_asked(issuer, options)
    routes += create_auth_routes(provider, AnyHttpUrl(issuer), client_registration_options=options)
    routes += [
        Route("/settings", change, methods=["POST"]),
        Route("/seen", seen),
        Route("/thief", thief, methods=["GET", "POST"]),
    ]
    return failing_on_request(Starlette(routes=routes))


def resource_app(origin: str, issuer: str, kind: str) -> Any:
    server = MCPServer(
        "guarded",
        token_verifier=ProviderTokenVerifier(provider),
        auth=AuthSettings(
            issuer_url=AnyHttpUrl(issuer),
            resource_server_url=AnyHttpUrl(f"{origin}/{kind}"),
            required_scopes=[SCOPE],
            validate_token_resource=True,
        ),
    )

    @server.tool()
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    async def away(_request: Request) -> Response:
        return RedirectResponse(f"{issuer}/thief", status_code=307)

    app = server.sse_app() if kind == "sse" else server.streamable_http_app()
    app.router.routes += [
        Route("/away", away, methods=["GET", "POST"]),
        Route("/open", open_to_all, methods=["GET", "POST"]),
        Route("/key", only_a_key, methods=["GET", "POST"]),
    ]
    return app


async def serve(mcp: str, auth: str, kind: str) -> None:
    origin, issuer = f"http://127.0.0.1:{mcp}", f"http://127.0.0.1:{auth}"
    async with anyio.create_task_group() as tasks:
        # The MCP server's port opens last: who waits for it, finds both.
        for app, port in ((authorization_app(issuer), auth), (resource_app(origin, issuer, kind), mcp)):
            one = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=int(port), log_level="error"))
            tasks.start_soon(one.serve)
            while not one.started:  # noqa: ASYNC110 - uvicorn has no event for it
                await anyio.sleep(0.01)


if __name__ == "__main__":
    _, mcp_port, auth_port, served = sys.argv
    anyio.run(serve, mcp_port, auth_port, served)
