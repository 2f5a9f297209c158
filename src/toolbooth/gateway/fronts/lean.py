"""A call on stdio → its caller, without the SDK; None where only the SDK can say what is wrong."""

from collections.abc import Mapping
from typing import Any

from mcp.shared.inbound import InboundModernRoute, classify_inbound_request
from mcp_types import LOG_LEVEL_META_KEY, PROTOCOL_VERSION_META_KEY

from toolbooth.catalog.connect import OWN_FACE, Face
from toolbooth.gateway.caller import LEVELS, Caller, Reach, Session


def lean_caller(session: Session, message: Mapping[str, Any], reach: Reach) -> Caller | None:
    """The caller of a request that is sound for its session's era."""
    params = message.get("params")
    if message.get("jsonrpc") != "2.0" or not isinstance(params, dict):
        return None
    meta = params.get("_meta")
    if meta is not None and not isinstance(meta, dict):
        return None
    token = meta.get("progressToken") if meta else None
    if token is not None and (isinstance(token, bool) or not isinstance(token, (int, str))):
        return None
    if session.modern:
        return _stateless(session, message, reach, token, meta or {})
    if meta and PROTOCOL_VERSION_META_KEY in meta:
        return None
    return Caller(session, session.face, reach, token)


def _stateless(
    session: Session,
    message: Mapping[str, Any],
    reach: Reach,
    token: int | str | None,
    meta: Mapping[str, Any],
) -> Caller | None:
    route = classify_inbound_request(message)
    level = meta.get(LOG_LEVEL_META_KEY)
    if not isinstance(route, InboundModernRoute) or level not in (None, *LEVELS):
        return None
    info, offered = route.client_info, route.client_capabilities
    if not isinstance(offered, Mapping) or not isinstance(info, Mapping | None):
        return None
    return Caller(session, Face(info or OWN_FACE.info, offered), reach, token, level)
