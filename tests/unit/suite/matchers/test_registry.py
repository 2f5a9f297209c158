"""Every matcher of the specification is there, and says what it takes."""

from toolbooth.suite.matchers import MATCHERS


def test_all_words_of_the_specification_are_known() -> None:
    operators = {">=", ">", "<=", "<", "==", "!="}
    assert MATCHERS.keys() == operators | {
        "exact",
        "contains",
        "icontains",
        "contains-all",
        "regex",
        "schema",
    }


def test_each_is_explained() -> None:
    assert all(each.says.endswith(".") and each.name == name for name, each in MATCHERS.items())
