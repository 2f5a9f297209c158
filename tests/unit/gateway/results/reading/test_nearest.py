"""Words that are like those of a query."""

from toolbooth.gateway.results.reading.nearest import nearest_words


def test_the_most_alike_come_first() -> None:
    assert nearest_words("conection", ["The connection was closed.", "Connections: 5"]) == [
        "connection",
        "connections",
    ]


def test_words_of_json_have_no_escapes() -> None:
    assert nearest_words("tracebak", [r'"x\ntraceback"']) == ["traceback"]


def test_there_may_be_none() -> None:
    assert nearest_words("xylophone", ["a b c", ""]) == []
    assert nearest_words("", ["word"]) == []
