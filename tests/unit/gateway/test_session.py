"""The JSON-RPC error that a client gets for a server fault."""

from toolbooth.access import Principal
from toolbooth.catalog.connect import ClientIdentity, ServerError
from toolbooth.errors import BackendCrashed
from toolbooth.gateway.session import INTERNAL_ERROR, INVALID_PARAMS, Refusal, Session, refusal_of


def test_an_error_has_data_only_where_there_are_any() -> None:
    assert Refusal(INVALID_PARAMS, "no").error_object == {"code": -32602, "message": "no"}
    assert Refusal(INVALID_PARAMS, "no", 0).error_object == {"code": -32602, "message": "no", "data": 0}


def test_the_local_user_is_known_by_its_id_wherever_it_was_made() -> None:
    session = Session("s", "", False, ClientIdentity({}, {}), principal=Principal("local"))
    assert session.owner == "s"
    session.principal = Principal("key-1")
    assert session.owner == "key-1/s"


def test_a_servers_own_error_stays_as_it_came() -> None:
    reported = refusal_of(ServerError("I will not", -7, {"why": 1}, "I\nwill not"))
    assert reported.error_object == {"code": -7, "message": "I\nwill not", "data": {"why": 1}}


def test_another_fault_is_an_internal_error_that_names_the_server() -> None:
    reported = refusal_of(BackendCrashed("exited with code 7", "weather"))
    assert reported.error_object == {"code": INTERNAL_ERROR, "message": "weather: exited with code 7"}
