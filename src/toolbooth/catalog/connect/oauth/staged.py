"""The SDK's token storage for the time of one flow: what a broken flow leaves behind is forgotten with it."""

from dataclasses import dataclass, field

from mcp.shared.auth import OAuthClientInformationFull, OAuthToken


@dataclass
class Staged:
    """Holds what the SDK hands over until the whole sign-in has worked."""

    client: OAuthClientInformationFull | None = field(default=None, repr=False)
    tokens: OAuthToken | None = field(default=None, repr=False)

    async def get_tokens(self) -> OAuthToken | None:
        """The token of this flow."""
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """Called once the code was exchanged."""
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """A client that was registered before."""
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Called once a client is registered."""
        self.client = client_info
