"""Identity and authorization: who is asking, and which tools they may use."""

from toolbooth.lazy import exports

TYPE_CHECKING = False  # as in `typing`, which takes too long to import

if TYPE_CHECKING:
    from toolbooth.access.keys import AccessKey as AccessKey, AccessKeys as AccessKeys
    from toolbooth.access.principal import (
        LOCAL_USER as LOCAL_USER,
        OPEN as OPEN,
        Authorizer as Authorizer,
        Principal as Principal,
    )
else:
    __getattr__, __dir__, __all__ = exports(
        __name__, {"keys": "AccessKey AccessKeys", "principal": "LOCAL_USER OPEN Authorizer Principal"}
    )
