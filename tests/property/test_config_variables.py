"""Expansion: exact values, once, and nothing else touched."""

from pathlib import Path

from hypothesis import given, strategies as st

from toolbooth.catalog.config.variables import Scope, Unresolved, expand

NAMES = st.from_regex(r"[A-Z_][A-Z0-9_]{0,8}", fullmatch=True)
VALUES = st.text(st.sampled_from("ab${}:-\\ /é")) | st.text(max_size=8)
LITERAL = st.text(st.characters(codec="utf-8", exclude_characters="$"), max_size=8)
ENVIRON = st.dictionaries(NAMES, VALUES, min_size=1, max_size=5)
FORMS = st.sampled_from(["${%s}", "${env:%s}", "${%s:-other}", "${env:%s:-}"])


def _scope(environ: dict[str, str]) -> Scope:
    return Scope(environ, Path("/home/me"), Path("/work"))


@given(ENVIRON, st.data())
def test_every_reference_becomes_its_value_and_the_rest_stays(
    environ: dict[str, str], data: st.DataObject
) -> None:
    written, expected = "", ""
    for _ in range(data.draw(st.integers(0, 4))):
        literal, name = data.draw(LITERAL), data.draw(st.sampled_from(sorted(environ)))
        written += literal + data.draw(FORMS) % name
        expected += literal + environ[name]
    assert expand(written, _scope(environ)) == expected


@given(LITERAL)
def test_text_without_a_dollar_is_untouched(text: str) -> None:
    assert expand(text, _scope({})) == text


@given(NAMES, st.text(st.characters(codec="utf-8", exclude_characters="${}"), max_size=12))
def test_a_missing_variable_takes_its_default(name: str, default: str) -> None:
    assert expand(f"${{{name}:-{default}}}", _scope({})) == default


@given(st.text(st.sampled_from("${}:-AB_a1 .%/")), ENVIRON)
def test_any_text_expands_or_names_a_variable_and_never_a_value(text: str, environ: dict[str, str]) -> None:
    secret = {name: f"\u2603{value}" for name, value in environ.items()}
    message = ""
    try:
        expand(text, _scope(secret))
    except Unresolved as error:
        message = str(error)
    assert "\u2603" not in message
