"""No regular expression of the product may be slow on any text: its steps are counted on repeated pieces."""

import re
from typing import Any, Final

import pytest
from tests.patterns import Found, every_pattern, held_by, modules
from tests.regex_steps import Program, TooManySteps, found_in, own_pieces, steps

from toolbooth.bench import package_pin
from toolbooth.gateway.results.lines import _LINE
from toolbooth.gateway.results.relevance import beginning, form_pattern

# Work that grows with the square of a text is 16 times as much for each character of 64 KB as of 4. So 4 KB are
# counted: there a quadratic pattern takes 2,000 steps a character, and bounded repeats such as {0,64} some 200.
SIZE: Final = 4 * 1024
MOST: Final = 256 * SIZE
PIECES: Final = (
    *(
        "a",
        "A",
        "0",
        "_",
        "-",
        ".",
        " ",
        "\n",
        "\t",
        "\r\n",
        '"',
        "'",
        "\\",
        "[",
        "{",
        "(",
        "<",
        "/",
        "#",
        "=",
    ),
    *(
        ":",
        "a.",
        "a-",
        "a ",
        "aB",
        "a1",
        "A1 ",
        "1.",
        "a\n",
        " \n",
        '"a":1,',
        "\\u0041",
        "%41",
        "&#41;",
        "```\n",
    ),
    *("- a\n", "é", "字", "\u200b", "😀"),
)
MOST_OWN: Final = 40  # pieces that are made from a pattern itself; long lists of words give hundreds
TAILS: Final = ("", "\x00")  # what ends the run may be what makes it fail

# Tried at the beginning of a text only, which the source does not show: a table holds them.
BEGINNINGS: Final = {r"(?:\s|//[^\n]*|/\*.*?\*/)*"}

# Put together while the program runs: examples of each, or the reason why none is needed.
PUT_TOGETHER: Final[dict[str, tuple[str, ...] | str]] = {
    "f'[^{profile.name_signs}]'": (r"[^a-zA-Z0-9_-]", r"[^a-zA-Z0-9_.:-]"),
    "where": "a pattern of the user's own adapter file, on lines of 1,000 characters",
    "pattern": "a parameter: module values hold the results, or the user's own adapter file the text",
    "family.pinned": tuple(f.pinned for f in (package_pin._NPM, package_pin._PYTHON, package_pin._CONTAINER)),
    "family.name": tuple(f.name for f in (package_pin._NPM, package_pin._PYTHON)),
    "re.escape(text)": ("aaaaaaab",),
    r"f'(?<!\\w){re.escape(choice)}(?!\\w)'": (r"(?<!\w)aaaa(?!\w)",),
    'f"""(?m)(?:^|[\\\\s\\\\[.,{{"\'])({name})(?=["\']?\\\\s*(?:[:=\\\\],}}]|$))"""': (
        r"""(?m)(?:^|[\s\[.,{"'])(a)(?=["']?\s*(?:[:=\],}]|$))""",
    ),
    r"f'</{name}\\s*>'": (r"</style\s*>",),
    'f"""[ \\\\t]*(?:{key}|\\\\"{key}\\\\"|\'{key}\')[ \\\\t]*="""': (
        r"""[ \t]*(?:args|"args"|'args')[ \t]*=""",
    ),
    "form_pattern(self._needle)": (form_pattern("aaa"), form_pattern("aa"), form_pattern("user")),
    "f'(?:{_LINE}){{1,{self.lines}}}'": (rf"(?:{_LINE}){{1,3}}",),
    "beginning(word)": (beginning("aaaa"), beginning("字字")),
    r"f'(?i)\\b{re.escape(typed)}\\b'": (r"(?i)\baaaa\b",),
}


def _every() -> list[Found]:
    return [*every_pattern(), *_held(), *_put_together()]


def _held() -> list[Found]:
    """Patterns that a function made for a table."""
    seen = {(each.pattern.pattern, each.pattern.flags) for each in every_pattern() if each.pattern}
    held = {
        (pattern.pattern, pattern.flags): Found(module.__name__, pattern, str(pattern.pattern), False)
        for module, _, _ in modules()
        for pattern in held_by(module)
    }
    return [found for key, found in held.items() if key not in seen]


def _put_together() -> list[Found]:
    made = {found.source: found for found in every_pattern() if found.pattern is None}
    return [
        Found(made[source].where, re.compile(text), text, made[source].once)
        for source, texts in PUT_TOGETHER.items()
        if isinstance(texts, tuple) and source in made
        for text in texts
        if text
    ]


def _texts(pattern: "re.Pattern[Any]") -> list[tuple[Any, Any]]:
    own = own_pieces(pattern)
    own = own[:: 1 + len(own) // MOST_OWN]
    pairs = [(piece, tail) for piece in (*PIECES, *own) for tail in TAILS]
    if isinstance(pattern.pattern, str):
        return pairs
    return [(piece.encode("utf-8", "replace"), tail.encode()) for piece, tail in pairs]


def _slow_on(found: Found) -> list[str]:
    assert found.pattern is not None
    slow = []
    for piece, tail in _texts(found.pattern):
        try:
            steps(found.pattern, piece, tail, SIZE, MOST, found.once or found.pattern.pattern in BEGINNINGS)
        except TooManySteps:
            slow.append(f"{piece!r} … {tail!r}")
    return slow


EVERY: Final = [found for found in _every() if found.pattern is not None]


@pytest.mark.parametrize("found", EVERY, ids=lambda found: found.where)
def test_no_text_makes_a_pattern_slow(found: Found) -> None:
    assert _slow_on(found) == []


def test_each_pattern_that_is_put_together_has_an_example_or_a_reason() -> None:
    made = {found.source for found in every_pattern() if found.pattern is None}
    assert made == set(PUT_TOGETHER)


def test_there_are_forty_pieces_of_every_kind_and_some_hundred_patterns() -> None:
    assert len(set(PIECES)) == 40
    assert len(EVERY) > 300


@pytest.mark.parametrize("found", EVERY, ids=lambda found: found.where)
def test_the_counting_matcher_finds_what_re_finds(found: Found) -> None:
    assert found.pattern is not None
    for piece, tail in _texts(found.pattern):
        text = piece * 3 + tail + piece
        expected = [match.span() for match in found.pattern.finditer(text)]
        assert found_in(found.pattern, text, 10**6) == expected, text


@pytest.mark.parametrize(
    ("pattern", "piece"),
    [
        (r"([\w-]+)\.(?=[\w-])", "a"),  # stopped the gateway for 16 s
        (r"[\w-]+\.[\w-]+", "-"),
        (r"(?:a+)+b", "a"),
        (r"\s+then", " "),
        (r"<[^>]*>", "<"),
        (r"//.*@", "/"),
        (r"a{0,2000}b", "a"),
    ],
)
def test_a_slow_pattern_is_found(pattern: str, piece: str) -> None:
    with pytest.raises(TooManySteps):
        steps(re.compile(pattern), piece, "", SIZE, MOST, once=False)


def test_steps_of_a_round_are_multiplied_as_if_all_were_made() -> None:
    for pattern in (r"[a-z]++\d", r"a.b", r"(?<!\w)\w+", r"x*", r"\b"):
        compiled = re.compile(pattern)
        counted = steps(compiled, "ab c", "", 4096, 10**7, once=False)
        program_steps = _all_steps(compiled, "ab c" * 1024)
        assert abs(counted - program_steps) <= 0.05 * program_steps


def _all_steps(pattern: "re.Pattern[str]", text: str) -> int:
    from tests.regex_steps import Counter, _attempts

    counter = Counter(10**7)
    list(_attempts(Program.of(pattern), text, counter))
    return counter.steps
