"""Remote servers behind OAuth 2.1: signing in, keeping tokens, sending and renewing them."""

from toolbooth.catalog.connect.oauth.address import canonical, shown
from toolbooth.catalog.connect.oauth.sign_in import sign_in
from toolbooth.catalog.connect.oauth.token_store import Kept, TokenStore

__all__ = ["Kept", "TokenStore", "canonical", "shown", "sign_in"]
