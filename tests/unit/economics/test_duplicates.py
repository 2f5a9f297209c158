"""Tools that a model would confuse, and tools that only look similar."""

import pytest

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.economics import Cluster, near_duplicates
from toolbooth.economics.tool_words import purpose, split_name

FILLER = [
    Tool("weather", f"forecast_{word}", f"Forecast of {word} for a place on earth")
    for word in ("rain", "wind", "snow", "sun", "heat", "hail", "fog", "ice")
]


def _find(*tools: Tool, weights: dict[str, int] | None = None) -> tuple[Cluster, ...]:
    return near_duplicates([*tools, *FILLER], weights)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("createPullRequest", ("create", "pull", "request")),
        ("create-pull_request", ("create", "pull", "request")),
        ("HTTPGetURL2", ("http", "get", "url", "2")),
        ("поиск_файла", ("поиск", "файла")),
        ("___", ()),
    ],
)
def test_names_are_split_into_words(name: str, words: tuple[str, ...]) -> None:
    assert split_name(name) == words


def test_verbs_with_the_same_meaning_are_one_and_get_of_a_plural_is_list() -> None:
    assert purpose(("add", "label")) == purpose(("create", "labels"))
    assert purpose(("get", "labels")) == purpose(("list", "labels"))
    assert purpose(("get", "label")) != purpose(("list", "labels"))
    assert purpose(("update", "project")) != purpose(("update", "project", "update"))


def test_the_same_name_on_two_servers_is_found() -> None:
    (cluster,) = _find(
        Tool("github", "create_issue", "Create a new issue in a GitHub repository"),
        Tool("gitea", "create_issue", "Create a new issue in a Gitea repository"),
    )
    assert cluster.tools == ("github.create_issue", "gitea.create_issue")
    assert cluster.why == "same name"
    assert not cluster.within_one_server


def test_a_server_prefix_and_another_verb_do_not_hide_a_duplicate() -> None:
    (cluster,) = _find(
        Tool("todoist", "todoist_add_label", "Create a new label."),
        Tool("trello", "createLabel", "Create a new label on a board"),
    )
    assert cluster.why == "same words in name, similar description"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Tool("a", "create_label", "Create a label."), Tool("b", "delete_label", "Delete a label.")),
        (Tool("a", "member_groups", "Groups of a member"), Tool("b", "group_members", "Members of a group")),
        (Tool("a", "get_user", "One user by id"), Tool("a", "get_users", "All users by page")),
    ],
)
def test_tools_with_different_purposes_are_not_confused(one: Tool, other: Tool) -> None:
    assert _find(one, other) == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Tool("a", "get", "Get an item from the vault"), Tool("b", "get", "Get a Redis string value")),
        (Tool("a", "list_tables", "Tables of a base"), Tool("b", "list_tables", "Furniture in the shop")),
    ],
)
def test_a_shared_name_alone_is_reported_without_a_saving(one: Tool, other: Tool) -> None:
    (cluster,) = near_duplicates([one, other], {one.id: 10, other.id: 20})
    assert cluster.why == "same name, described differently"
    assert cluster.saving_tokens == 0


def test_tools_that_share_only_a_name_do_not_join_similar_ones() -> None:
    alike = [Tool(name, "list_tables", "List all tables of the database with their columns") for name in "ab"]
    clusters = near_duplicates([*alike, Tool("c", "list_tables", "Furniture in the shop")])
    assert [cluster.tools for cluster in clusters] == [("a.list_tables", "b.list_tables")]


def test_two_of_one_server_are_marked_so() -> None:
    (cluster,) = _find(
        Tool("vault", "edit_org_collection", "Edit an existing organization collection"),
        Tool("vault", "update_org_collection", "Update an existing organization collection"),
    )
    assert cluster.within_one_server


def test_the_same_description_under_a_similar_name_is_found() -> None:
    text = "Delete a recording from your account"
    (cluster,) = _find(Tool("t", "DeleteCallRecording", text), Tool("t", "DeleteRecording", text))
    assert cluster.why == "same description, similar name"


def test_without_descriptions_names_alone_decide() -> None:
    (cluster,) = _find(Tool("a", "frobnicate", ""), Tool("b", "frobnicate", ""))
    assert cluster.why == "same name"


def test_all_tools_of_a_cluster_are_similar_to_one_another() -> None:
    near = [Tool(f"s{n}", "delete_comment", "Delete a comment") for n in range(3)]
    far = Tool("s9", "delete_comment", "Purge remarks irrevocably within spreadsheets, slides, wikis")
    (cluster,) = _find(*near, far)
    assert cluster.tools == tuple(tool.id for tool in near)


def test_the_largest_saving_comes_first_among_clusters() -> None:
    tools = [
        Tool(s, f"delete_{w}", f"Delete a {w} for good") for w in ("comment", "label") for s in ("a", "b")
    ]
    weights = {"a.delete_comment": 10, "b.delete_comment": 12, "a.delete_label": 50, "b.delete_label": 70}
    first, second = _find(*tools, weights=weights)
    assert (first.tokens, first.saving_tokens) == (120, 70)
    assert (second.tokens, second.saving_tokens) == (22, 12)


def _inputs(*names: str) -> dict[str, object]:
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}}


@pytest.mark.parametrize(
    ("one", "other", "saving"),
    [
        (Tool("a", "read_file", "Read a file", _inputs("path")), ("read_file", "Read a file", "path"), 20),
        (Tool("a", "read_file", "Read a file", _inputs("path")), ("read_file", "Read a file", "url"), 0),
        (Tool("a", "read_file", "Read a file", _inputs("path")), ("readTheFile", "Read a file", "path"), 0),
        (
            Tool("a", "create_issue", "Create an issue in a GitHub repository", _inputs("title")),
            ("create_issue", "Create an issue in a Linear team, with labels and cycle", "title"),
            0,
        ),
    ],
)
def test_only_tools_with_the_same_name_text_and_inputs_may_replace_each_other(
    one: Tool, other: tuple[str, str, str], saving: int
) -> None:
    name, text, field = other
    twin = Tool("b", name, text, _inputs(field))
    (cluster,) = _find(one, twin, weights={one.id: 10, twin.id: 20})
    assert cluster.saving_tokens == saving


def test_servers_with_the_same_name_are_still_two_servers() -> None:
    tool = Tool("kube", "apply_manifest", "Apply a manifest to the cluster")
    (cluster,) = near_duplicates(Catalog((ServerTools("kube", (tool,)), ServerTools("kube", (tool,)))))
    assert not cluster.within_one_server


def test_a_thousand_tools_with_one_name_do_not_make_a_million_pairs() -> None:
    assert near_duplicates(Tool(f"s{n}", "search", "Search the things") for n in range(5000)) == ()
