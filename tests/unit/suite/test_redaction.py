"""Secrets that are known, that look like keys, or that stand under a telling name are taken out; the rest stays."""

import base64
import json
from typing import Any
from urllib.parse import quote

import pytest

from toolbooth.catalog import Catalog, ServerSpec, sort_entries
from toolbooth.errors import ConfigError
from toolbooth.suite.redaction import REDACTED, Redactor
from toolbooth.suite.trace import Exchange, MadeCall, Trace, Turn

SPEC = ServerSpec(
    "s",
    "stdio",
    "node",
    ("--api-key", "argcanary", "--header", "X-Auth: headerargcanary", "postgres://me:dbcanary@h.example/d"),
    env={"TOK": "envcanary", "LEVEL": "info", "NODE_ENV": "production", "DATA_DIR": "/srv/data/files"},
    headers={
        "Authorization": "Basic " + base64.b64encode(b"ada:basiccanary").decode(),
        "X-Two": "Bearer bearcanary",
    },
    url="https://user:urlcanary@host.example/mcp?key=querycanary",
)
ENVIRON = {
    "GITHUB_TOKEN": "inherited canary/+",
    "SOME_FOLDER": "ordinary-value",
    "GIT_AUTHOR_NAME": "Anna Long",
    "TOKENIZERS_PARALLELISM": "false",
    "XDG_SESSION_CLASS": "user",
    "DATABASE_URL": "postgres://u:p%40ss%2Fword@h.example/db",
    "SHORT_PASS": "abcd",
}
REDACTOR = Redactor(ENVIRON, [SPEC])
PLAIN = Redactor({}, [])


def text(said: str) -> str:
    cleaned = PLAIN.text(said)
    assert PLAIN.text(cleaned) == cleaned
    return cleaned


@pytest.mark.parametrize(
    "secret",
    [
        *(
            "argcanary",
            "headerargcanary",
            "dbcanary",
            "envcanary",
            "ada:basiccanary",
            "basiccanary",
            "bearcanary",
        ),
        *("urlcanary", "querycanary", "inherited canary/+", "p@ss/word", "p%40ss%2Fword", "abcd"),
    ],
)
def test_a_known_secret_is_taken_out_in_every_form_it_is_written_in(secret: str) -> None:
    forms = [
        secret,
        quote(secret, safe=""),
        base64.b64encode(secret.encode()).decode(),
        base64.urlsafe_b64encode(secret.encode()).decode().rstrip("="),
        secret.encode().hex(),
        json.dumps(secret)[1:-1],
    ]
    for form in forms:
        assert REDACTOR.text(f"refused <{form}>!") == f"refused <{REDACTED}>!"


def test_ordinary_settings_are_no_secrets() -> None:
    said = "info production /srv/data/files/a.txt ordinary-value Anna Long false user node host.example"
    assert REDACTOR.text(said) == said


def test_a_short_secret_of_letters_is_a_whole_word() -> None:
    assert REDACTOR.text("abcd, abcdef") == f"{REDACTED}, abcdef"


@pytest.mark.parametrize(
    "key",
    [
        "sk-" + "a1B2" * 6,
        "sk-ant-api03-" + "a_-9" * 8,
        "sk-proj-" + "x9" * 12,
        "AIza" + "Sy9_" * 9,
        "ghp_" + "a1" * 18,
        "gho_" + "a1" * 18,
        "github_pat_" + "11AA_" * 8,
        "glpat-" + "x1-_" * 5,
        "xoxb-123456789012-abcdefABCDEF",
        "AKIA" + "ABCD1234" * 2,
        "ASIA" + "ABCD1234" * 2,
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
        "npm_" + "aB3" * 12,
        "pypi-" + "AgEIcHlwaS5vcmc" * 2,
        "sk_live_" + "a1" * 12,
        "rk_live_" + "a1" * 12,
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIB-x==\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nMIIBcut off",
    ],
)
def test_a_well_known_key_is_seen_anywhere(key: str) -> None:
    assert text(f"see {key}") == f"see {REDACTED}"
    assert PLAIN.value({"inputSchema": {"type": "object", "default": key}}) == {
        "inputSchema": {"type": "object", "default": REDACTED}
    }


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Bearer abc123def", f"Bearer {REDACTED}"),
        ("basic dXNlcjpwYXNz", f"basic {REDACTED}"),
        ("postgres://u:p@ss@h/db", f"postgres://u:{REDACTED}@h/db"),
        ("https://" + "tok3n" * 5 + "@h/x", f"https://{REDACTED}@h/x"),
        ("https://hooks.slack.com/services/T0/B0/xyz", f"https://hooks.slack.com/services/{REDACTED}"),
        ("https://discord.com/api/webhooks/12/ab-c", f"https://discord.com/api/webhooks/{REDACTED}"),
        ("password: hunter2, next", f"password: {REDACTED}, next"),
        ("DB_PASSWORD=hunter2", f"DB_PASSWORD={REDACTED}"),
        ('{"password": "hun \\" ter"}', f'{{"password": "{REDACTED}"}}'),
        ('{\\"apiKey\\": \\"abc def\\"}', f'{{\\"apiKey\\": \\"{REDACTED}\\"}}'),
        ('{"password": 123456, "x": 1}', f'{{"password": {REDACTED}, "x": 1}}'),
        ('{"passwords": ["a", "b"]}', f'{{"passwords": [{REDACTED}]}}'),
        ('{"secret": "cut', f'{{"secret": "{REDACTED}'),
        ("--token abc1 --verbose", f"--token {REDACTED} --verbose"),
        ("Cookie: a=b; c=d\nnext", f"Cookie: {REDACTED}\nnext"),
        ("Authorization: Digest abc def", f"Authorization: {REDACTED}"),
        ("/x?access_token=q1w2&page=2", f"/x?access_token={REDACTED}&page=2"),
        ("Invalid API key: 9f8a7", f"Invalid API key: {REDACTED}"),
        ("<password>abc</password>", f"<password>{REDACTED}</password>"),
        ('{"auth": {"value": "s3cr3tvalue"}}', f'{{"auth": {{"value": "{REDACTED}"}}}}'),
        ('{"credentials": {\n "any": "x y"\n}}', f'{{"credentials": {{\n "any": "{REDACTED}"\n}}}}'),
        ('{\\"auth\\": {\\"v\\": \\"ab12cd\\"}}', f'{{\\"auth\\": {{\\"v\\": \\"{REDACTED}\\"}}}}'),
        (
            '"cookies": [{"name": "sid", "value": "a1b2c3"}]',
            f'"cookies": [{{"name": "sid", "value": "{REDACTED}"}}]',
        ),
        ('"secret": {"type": "string", "it": "x"}', f'"secret": {{"type": "string", "it": "{REDACTED}"}}'),
        ("the password is hunter2.", f"the password is {REDACTED}."),
        ("Password was Tr0ub4dor&3 once", f"Password was {REDACTED} once"),
        ('the password is "swordfish", he said', f'the password is "{REDACTED}", he said'),
        ("passcode: 4711", f"passcode: {REDACTED}"),
        ("your OTP is 482913", f"your OTP is {REDACTED}"),
        ("The API key is now 9f8a7b6c", f"The API key is now {REDACTED}"),
        ("it is password is hunter2", f"it is password is {REDACTED}"),
        ("LICENSE_KEY=AB12-CD34", f"LICENSE_KEY={REDACTED}"),
        ("licence key: AB12-CD34", f"licence key: {REDACTED}"),
    ],
)
def test_a_secret_in_its_place_is_taken_out_and_the_place_stays(said: str, left: str) -> None:
    assert text(said) == left


@pytest.mark.parametrize(
    "said",
    [
        "max_tokens: 12, token_count=7, tokens: 900, token: 12",
        "author: Anna Long, authority: none",
        "next_page_token=abc123&cursor=eyJwYWdlIjogMn0",
        "login(user: str, password: str) -> token",
        "password: ${DB_PASSWORD} or <your password>",
        "Bearer authentication beats basic functionality",
        "the key: value pairs, primary_key: id",
        "token_type: bearer, password_policy: strict",
        '{"password": {"type": "string"}, "token": null, "secret": ""}',
        "https://host.example/a:b@c",
        "sk-learn and task-force-sk-x",
        '{"auth": {"type": "oauth2", "flow": "client_credentials"}}',
        '{"session": {"id": 5, "title": "Keynote", "day": "2025-06-18", "user": "ada99", "kind": "talk"}}',
        '{"password": {"type": "string", "default": "x1y2z3", "$ref": "#/a1b2"}}',
        '"author": {"value": "Anna99"}, "max_tokens": {"value": "abc12345"}',
        "the password is required, the secret is out, API key is missing, password is case-sensitive",
        "the password is SHA-256 hashed, was base64-encoded, is 12 characters long; the secret is ${X}",
        "the token is abc12345, the primary key is user_id1, the API key is OpenAI's",
        "LICENSE=MIT, license: Apache-2.0",
    ],
)
def test_what_only_sounds_so_stays(said: str) -> None:
    assert text(said) == said


def test_values_go_by_their_keys_and_numbers_only_where_the_key_is_sure() -> None:
    given = {
        "password": "x",
        "pin_password": 1234,
        "has_password": True,
        "api_key": ["a", "b"],
        "tokens": 12,
        "session_id": "abcd1234",
        "session": "Morning keynote",
        "token": 7,
        "max_tokens": "900",
        "next_page_token": "abc123",
        "author": "Anna",
        "deep": [{"clientSecret": "y"}],
    }
    assert PLAIN.value(given) == {
        "password": REDACTED,
        "pin_password": REDACTED,
        "has_password": True,
        "api_key": [REDACTED, REDACTED],
        "tokens": 12,
        "session_id": REDACTED,
        "session": "Morning keynote",
        "token": 7,
        "max_tokens": "900",
        "next_page_token": "abc123",
        "author": "Anna",
        "deep": [{"clientSecret": REDACTED}],
    }


def test_keys_are_cleaned_too() -> None:
    assert REDACTOR.value({"envcanary": 1}) == {REDACTED: 1}


def test_a_schema_keeps_its_fields_whatever_they_are_called() -> None:
    tool = {
        "name": "login",
        "description": "Signs in. password: the password to use",
        "inputSchema": {
            "type": "object",
            "properties": {"password": {"type": "string", "default": "x", "description": "token: abcdefgh"}},
            "required": ["password"],
        },
    }
    assert PLAIN.menu([tool]) == (tool,)
    assert PLAIN.value({"credentials": {"type": "object", "description": "who"}}) == {
        "credentials": {"type": "object", "description": "who"}
    }


def test_arguments_cannot_pass_as_a_schema() -> None:
    assert PLAIN.value({"parameters": {"password": "x"}}) == {"parameters": {"password": REDACTED}}


def test_a_catalog_keeps_its_tools() -> None:
    raw: dict[str, Any] = {"name": "t", "description": "uses envcanary", "inputSchema": {"type": "object"}}
    catalog = Catalog((sort_entries("s", [raw], instructions="say envcanary"),))
    cleaned = REDACTOR.catalog(catalog)
    assert [tool.description for tool in cleaned] == [f"uses {REDACTED}"]
    assert cleaned.servers[0].instructions == f"say {REDACTED}"
    assert PLAIN.catalog(catalog).fingerprint == catalog.fingerprint


def test_a_trace_is_cleaned_all_over_and_its_names_can_still_be_scored() -> None:
    spec = ServerSpec("calendar", "stdio", "x", env={"TOOLSET": "calendar", "CANARY": "plantedcanary"})
    made = MadeCall("calendar_add", "calendar", {"note": "plantedcanary"})
    exchange = Exchange("calendar_add", {"note": "plantedcanary"}, "got plantedcanary", True, (made,))
    turn = Turn("I say plantedcanary", (exchange,))
    trace = Trace(
        "plantedcanary?", "be plantedcanary", turns=(turn,), error="no: plantedcanary", ended="error"
    )
    cleaned = Redactor({}, [spec]).trace(trace)
    assert "plantedcanary" not in repr(cleaned)
    assert [call.id for call in cleaned.calls] == ["calendar.calendar_add"]


def test_what_is_nested_too_deeply_does_not_get_out_unseen() -> None:
    value: Any = "envcanary"
    for _ in range(3000):
        value = [value]
    assert "envcanary" not in json.dumps(_shallow(REDACTOR.value(value)))


def _shallow(value: Any) -> Any:
    while isinstance(value, list):
        value = value[0]
    return value


def test_a_suites_own_patterns_are_taken_out() -> None:
    own = Redactor({}, [], [r"ACME-\d+", r"(?i)project \w+"])
    assert own.text("ACME-1234 of us\nProject Falcon!\nno more") == f"{REDACTED} of us\n{REDACTED}\nno more"


def test_a_pattern_that_cannot_be_used_is_one_line() -> None:
    with pytest.raises(ConfigError, match="redact pattern") as caught:
        Redactor({}, [], ["(unclosed"])
    assert "\n" not in str(caught.value)


def test_a_large_environment_leaves_out_all_of_its_secrets() -> None:
    many = Redactor({f"SECRET_{number}": f"value-{number:05d}-x" for number in range(5000)}, [])
    assert many.text("a value-00000-x b value-04999-x c") == f"a {REDACTED} b {REDACTED} c"


@pytest.mark.parametrize(
    "secret", ["envcanary1", "inherited canary/+", "ÿþ?>~ÿþ?>~", "a-much-longer-canary-4711"]
)
@pytest.mark.parametrize("before", ["", "u", "us", "user:", "a longer user:"])
def test_a_known_secret_is_seen_in_the_middle_of_base64(secret: str, before: str) -> None:
    redactor = Redactor({"API_TOKEN": secret}, [])
    for after in ("", "!", ":x", ":more of it"):
        data = f"{before}{secret}{after}".encode()
        for code in (base64.b64encode(data).decode(), base64.urlsafe_b64encode(data).decode()):
            cleaned = redactor.text(f"sent {code} on")
            left = cleaned.removeprefix("sent ").removesuffix(" on").split(REDACTED)
            assert len(left) == 2, cleaned
            assert len("".join(left)) <= len(base64.b64encode(f"{before}{after}".encode())) + 8
            assert redactor.text(cleaned) == cleaned


def test_other_base64_stays() -> None:
    code = base64.b64encode(b"nothing of note stands in here").decode()
    assert Redactor({"API_TOKEN": "envcanary1"}, []).text(code) == code


@pytest.mark.parametrize("times", range(6))
@pytest.mark.parametrize("secret", ["hunter", 'hun "ter" 2', "back\\slash\\", "it's {x}"])
def test_json_that_was_quoted_many_times_is_seen_through(secret: str, times: int) -> None:
    said, left = json.dumps({"password": secret, "x": 1}), json.dumps({"password": REDACTED, "x": 1})
    for _ in range(times):
        said, left = json.dumps({"inner": said}), json.dumps({"inner": left})
    assert text(said) == left


def test_a_key_in_the_path_of_a_servers_address_is_known() -> None:
    spec = ServerSpec("s", "http", url="https://h.example/mcp/s/AbC123def456/streamable-http?x=y")
    said = Redactor({}, [spec]).text("POST /mcp/s/AbC123def456/streamable-http")
    assert said == f"POST /mcp/s/{REDACTED}/streamable-http"


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ({"auth": {"value": "s3cr3tvalue"}}, {"auth": {"value": REDACTED}}),
        ({"credentials": {"anything": "x y"}}, {"credentials": {"anything": REDACTED}}),
        (
            {"credentials": {"type": "service", "it": "x"}},
            {"credentials": {"type": "service", "it": REDACTED}},
        ),
        ({"secret": {"type": "string", "it": "x"}}, {"secret": {"type": "string", "it": REDACTED}}),
        ({"session": ["Keynote", "ab12cd34"]}, {"session": ["Keynote", REDACTED]}),
        ({"cookies": [{"name": "a", "value": "b1c2"}]}, {"cookies": [{"name": "a", "value": REDACTED}]}),
    ],
)
def test_texts_directly_in_an_object_go_by_its_name(given: Any, left: Any) -> None:
    assert PLAIN.value(given) == left
    assert PLAIN.value(left) == left


@pytest.mark.parametrize(
    "given",
    [
        {"auth": {"type": "oauth2", "flow": "client_credentials", "url": "https://h.example/a1"}},
        {"session": {"id": 5, "title": "Keynote", "day": "2025-06-18", "user": "ada99", "at": "10:30"}},
        {"session": {"topic": "how we did it", "zone": "Europe/Berlin", "mail_to": "ada@h.example"}},
        {"password": {"type": "string", "default": "x1y2z3", "minLength": 8}},
        {"auth": {"anyOf": [{"type": "string"}], "default": "ab12cd34"}},
        {"secrets": [{"name": "db1-main", "namespace": "default", "note": "kept by two"}]},
        {"next_page_token": {"value": "abc12345"}, "author": {"value": "Anna99"}},
    ],
)
def test_ordinary_objects_and_schemas_stay_whatever_they_are_called(given: Any) -> None:
    assert PLAIN.value(given) == given
