"""OAuth 2.1 for remote servers: signing in, and storing, sending and renewing tokens."""

from toolbooth.catalog.connect.oauth.address import canonical_url, shown_url
from toolbooth.catalog.connect.oauth.browser_sign_in import sign_in
from toolbooth.catalog.connect.oauth.token_store import StoredToken, TokenStore

__all__ = ["StoredToken", "TokenStore", "canonical_url", "shown_url", "sign_in"]
