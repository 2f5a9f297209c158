"""A corpus has stable bytes, holds no secret, and is never replaced by another of its version."""

import json
from pathlib import Path
from typing import Any

import pytest

from toolbooth.bench import load_corpus
from toolbooth.bench.recording import RecordedCorpus, freeze, record
from toolbooth.catalog import Catalog, ServerSpec, sort_entries
from toolbooth.errors import ConfigError

FIND = {
    "name": "find",
    "title": "Find",
    "description": "Finds things.",
    "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}},
    "annotations": {"readOnlyHint": True},
    "outputSchema": {"type": "object"},
}
ADD = {"name": "add", "description": "Adds ❤."}


def catalog(*raw_tools: dict[str, Any], server: str = "shop", **about: str) -> Catalog:
    about = {"version": "1.4.2", "title": "Shop", "protocol": "2025-06-18", "instructions": "A shop."} | about
    return Catalog((sort_entries(server, list(raw_tools), **about),))


def text(recording: RecordedCorpus) -> str:
    return json.dumps(recording.document, ensure_ascii=False)


def test_a_corpus_says_where_it_comes_from_and_has_all_that_is_measured(tmp_path: Path) -> None:
    made = record(
        catalog(FIND, ADD), [ServerSpec("shop", "stdio", "npx", ("-y", "shop@1.4.2"))], version="v1"
    )
    about = {"server": "shop", "title": "Shop", "version": "1.4.2", "protocol": "2025-06-18"}
    about["instructions"] = "A shop."
    assert made.document["generated_from"] == {"servers": [about | {"package": "shop@1.4.2"}]}
    assert made.document["version"] == made.version == "v1"
    add, find = made.document["tools"]
    assert add == {
        "tool_id": "shop:add",
        "server": "shop",
        "tool": "add",
        "description": "Adds ❤.",
    }
    assert find["schema"] == FIND["inputSchema"]
    assert (made.unpinned, made.hidden) == ({}, ())


def test_read_back_it_is_the_same_catalog(tmp_path: Path) -> None:
    before = catalog(FIND, ADD)
    freeze(record(before, version="v1"), tmp_path / "corpus.json")
    after = load_corpus(tmp_path / "corpus.json")
    assert after.version == "v1"
    assert after.catalog.fingerprint == before.fingerprint
    (server,) = after.catalog.servers
    assert (server.title, server.version, server.protocol) == ("Shop", "1.4.2", "2025-06-18")
    assert (server.description, server.instructions) == ("", "A shop.")


def test_the_order_of_servers_tools_and_keys_does_not_matter(tmp_path: Path) -> None:
    one, two = catalog(FIND, ADD), catalog(ADD, server="bank")
    turned = catalog(ADD, dict(reversed(FIND.items())))
    first, second = tmp_path / "corpus.json", tmp_path / "again" / "corpus.json"
    second.parent.mkdir()
    freeze(record(Catalog((*one.servers, *two.servers))), first)
    freeze(record(Catalog((*two.servers, *turned.servers))), second)
    assert first.read_bytes() == second.read_bytes()


def test_without_a_name_the_version_is_made_of_the_content() -> None:
    version = record(catalog(FIND), stem="ours").version
    assert version.startswith("ours-")
    assert len(version) == len("ours-") + 10
    assert record(catalog(FIND), stem="ours").version == version
    assert record(catalog(ADD), stem="ours").version != version
    assert record(catalog(FIND, version="1.4.3"), stem="ours").version != version


SECRET = "s3cr3t-value-1"
LAUNCHES = {
    "an option": ServerSpec("shop", "stdio", "npx", ("shop@1.0.0", "--api-key", SECRET)),
    "a variable": ServerSpec("shop", "stdio", "npx", ("shop@1.0.0",), {"SHOP_TOKEN": SECRET}),
    "a header": ServerSpec(
        "shop", "http", url="https://h.example", headers={"Authorization": f"Bearer {SECRET}"}
    ),
    "a url": ServerSpec("shop", "http", url=f"https://user:{SECRET}@h.example/mcp?token={SECRET}"),
    "a path": ServerSpec("shop", "stdio", "/home/me/s3cr3t-value-1/run", cwd=Path("/home/me")),
}


@pytest.mark.parametrize("launch", LAUNCHES)
def test_nothing_of_a_launch_but_its_package_is_written(launch: str) -> None:
    written = text(record(catalog(FIND), [LAUNCHES[launch]]))
    assert SECRET not in written
    assert not any(word in written for word in ("h.example", "/home/me", "api-key", "SHOP_TOKEN", "Bearer"))


@pytest.mark.parametrize("launch", ["an option", "a variable", "a header", "a url"])
def test_a_secret_that_the_server_quotes_is_hidden_and_that_is_reported(launch: str) -> None:
    loud = {
        "name": "log",
        "description": f"Runs as {SECRET}.",
        "inputSchema": {"type": "object", "default": {"k": SECRET}},
    }
    made = record(catalog(loud, instructions=f"Signed in with {SECRET}"), [LAUNCHES[launch]])
    assert SECRET not in text(made)
    assert made.document["tools"][0]["description"] == "Runs as •••."
    assert made.hidden == ("shop",)


def test_a_password_that_is_a_word_of_the_names_hides_nothing() -> None:
    spec = ServerSpec("postgres", "stdio", "uvx", ("pg@1.0",), {"PGPASSWORD": "postgres"})
    made = record(catalog({"name": "ask", "description": "Asks postgres."}, server="postgres"), [spec])
    assert made.document["tools"][0]["description"] == "Asks postgres."


def test_an_open_launch_is_named_with_the_version_that_it_reported() -> None:
    made = record(catalog(FIND), [ServerSpec("shop", "stdio", "uvx", ("shop-server",))])
    assert "package" not in made.document["generated_from"]["servers"][0]
    assert "shop-server@1.4.2" in made.unpinned["shop"]


def test_what_is_missing_stands_in_the_file_and_is_not_forgotten(tmp_path: Path) -> None:
    freeze(record(catalog(FIND), missing=["mail", "bank"], version="v1"), tmp_path / "corpus.json")
    again = record(load_corpus(tmp_path / "corpus.json").catalog)
    assert again.document["generated_from"]["missing"] == ["bank", "mail"]


def test_the_same_corpus_is_not_written_twice(tmp_path: Path) -> None:
    path = tmp_path / "corpus.json"
    assert freeze(record(catalog(FIND), version="v1"), path) == "written"
    path.write_text(json.dumps(json.loads(path.read_text())))
    spelled = path.read_bytes()
    assert freeze(record(catalog(FIND), version="v1"), path) == "unchanged"
    assert path.read_bytes() == spelled


def test_a_corpus_never_changes_under_its_version(tmp_path: Path) -> None:
    path = tmp_path / "corpus.json"
    freeze(record(catalog(FIND), version="v1"), path)
    before = path.read_bytes()
    with pytest.raises(
        ConfigError, match=r'version "v1".* a version never changes; give this one a new --name'
    ):
        freeze(record(catalog(ADD), version="v1"), path)
    assert path.read_bytes() == before
    assert freeze(record(catalog(ADD), version="v2"), path) == "replaced"
    assert load_corpus(path).version == "v2"


@pytest.mark.parametrize("content", ["", "not JSON", "[1]", '{"name": "package", "version": "1.0.0"}'])
def test_a_file_of_another_kind_is_not_replaced(tmp_path: Path, content: str) -> None:
    path = tmp_path / "package.json"
    path.write_text(content)
    with pytest.raises(ConfigError, match="is not a corpus"):
        freeze(record(catalog(FIND), version="v1"), path)
    assert path.read_text() == content


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be written"):
        freeze(record(catalog(FIND)), tmp_path / "no" / "corpus.json")
