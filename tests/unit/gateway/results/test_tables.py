"""Tables in text have rows and columns."""

import pytest

from toolbooth.gateway.results.payload import payload


@pytest.mark.parametrize("sign", [",", ";", "\t", " | "])
def test_rows_are_objects_and_numbers_are_numbers(sign: str) -> None:
    lines = [sign.join(("id", "name", "price"))]
    lines += [sign.join((str(number), f"thing {number}", f"{number}.50")) for number in range(1, 7)]
    assert payload("\n".join(lines)).value[2] == {"id": 3, "name": "thing 3", "price": 3.5}


def test_a_table_in_markdown_has_a_rule_and_perhaps_a_title() -> None:
    text = "Stock:\n| sku | left |\n|---|---:|\n" + "".join(f"| HF-{n} | {n} |\n" for n in range(5))
    found = payload(text)
    assert found.value[4] == {"sku": "HF-4", "left": 4}
    assert found.before == "Stock:\n"


def test_a_cell_in_quotes_may_hold_anything() -> None:
    text = 'id,note\n1,"a, b"\n2,"two\nlines"\n3,"say ""hi"""\n4,\n5,x\n'
    assert [row["note"] for row in payload(text).value] == ["a, b", "two\nlines", 'say "hi"', "", "x"]


@pytest.mark.parametrize("column", [["007", "010"], ["3.9", "3.10"], ["1e5", "2"], ["0x1", "1"], ["+1", "2"]])
def test_what_only_looks_like_a_number_is_text(column: list[str]) -> None:
    text = "id,version\n" + "".join(f"{n},{column[n % 2]}\n" for n in range(6))
    assert [row["version"] for row in payload(text).value] == [column[n % 2] for n in range(6)]


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2\n",
        "a,b\n1,2\n3\n4,5\n6,7\n8,9\n",
        "Dear all,\nthis is a letter, with commas,\nand more.\nYours,\nme\n",
        "a,a\n1,2\n3,4\n5,6\n7,8\n9,0\n",
        "1,2\n3,4\n5,6\n7,8\n9,0\n",
    ],
)
def test_what_is_no_table_is_text(text: str) -> None:
    assert not payload(text).has_value
