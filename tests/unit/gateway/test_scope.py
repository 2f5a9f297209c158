"""What exists for a principal: the gateway itself without an authorizer, and its own part of it with one."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.unit.gateway.in_memory_channel import InMemoryChannel
from tests.unit.gateway.surfaces.test_view import gateway, offer

import toolbooth.gateway
from toolbooth.access import LOCAL_USER, Principal
from toolbooth.catalog import ServerTools, Tool
from toolbooth.catalog.connect import ClientIdentity
from toolbooth.errors import WrongArguments
from toolbooth.gateway.calls.client_tasks import CarryOut
from toolbooth.gateway.calls.context import CallContext
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.handlers import answer
from toolbooth.gateway.public_names import UnknownName
from toolbooth.gateway.session import Caller, Refusal, Session
from toolbooth.gateway.surfaces.view import View
from toolbooth.search import SearchEngine

pytestmark = pytest.mark.anyio
SOMEONE = Principal("key-1", "ONE")
IDENTITY = ClientIdentity({}, {})


class Allows:
    """Allows some tools to one principal, and everything to all others."""

    def __init__(self, *tools: str) -> None:
        self.tools, self.asked = tools, 0

    def may(self, principal: Principal, tool: Tool) -> bool:
        self.asked += 1
        return principal != SOMEONE or tool.id in self.tools


async def test_without_an_authorizer_every_principal_has_the_same_objects(tmp_path: Path) -> None:
    async with gateway(tmp_path, "a") as made:
        made.registry.put(offer("a", "x"))
        view = View(made, "direct")
        assert made.scopes.of(SOMEONE) is made.scopes.of(LOCAL_USER) is made
        assert view.seen_by(SOMEONE) is view.seen_by(LOCAL_USER) is view


async def test_a_principal_sees_its_tools_and_their_servers(tmp_path: Path) -> None:
    async with gateway(tmp_path, "a", "b", "unknown") as made:
        made.authorizer = Allows("a.x")
        made.registry.put(offer("a", "x", "y"))
        made.registry.put(offer("b", "z"))
        made.registry.absent = {"broken": "its file is missing"}
        scope = made.scopes.of(SOMEONE)
        assert [tool.id for tool in scope.registry.catalog.tools] == ["a.x"]
        assert (list(scope.upstreams), scope.single) == (["a"], made.upstreams["a"])
        assert [(row["server"], row["tools"]) for row in scope.status()] == [("a", 1)]
        assert scope.offering("prompts") == [made.upstreams["a"]]
        assert scope.names_in_code().by_id("b.z") is None
        assert isinstance(scope.registry.find("b.z"), UnknownName)
        assert scope.registry.why_absent("broken") == ""
        assert [tool.id for tool in made.scopes.of(LOCAL_USER).registry.catalog.tools] == [
            "a.x",
            "a.y",
            "b.z",
        ]


async def test_a_server_that_is_seen_in_part_does_not_speak_for_itself(tmp_path: Path) -> None:
    async with gateway(tmp_path, "a", "b") as made:
        made.authorizer = Allows("a.x", "b.z")
        for each in (offer("a", "x", "y"), offer("b", "z")):
            made.registry.put(ServerTools(each.server, each.tools, "Call y.", description="Does y."))
        shown = made.scopes.of(SOMEONE).registry.servers
        assert (shown["a"].instructions, shown["a"].description) == (None, "")
        assert (shown["b"].instructions, shown["b"].description) == ("Call y.", "Does y.")


async def test_a_view_is_built_again_only_when_the_registry_changes(tmp_path: Path) -> None:
    async with gateway(tmp_path, "a") as made:
        made.authorizer = authorizer = Allows("a.x", "a.new")
        made.registry.put(offer("a", "x", "y"))
        view = View(made, "direct").seen_by(SOMEONE)
        first, asked = view.tools(legacy=False), authorizer.asked
        assert view.tools(legacy=False) is first
        assert authorizer.asked == asked == 2
        made.registry.put(offer("a", "x", "y", "new"))
        assert [tool["name"] for tool in view.tools(legacy=False)] == ["read_result", "a__x", "a__new"]


async def test_what_an_authorizer_decides_anew_counts_at_once(tmp_path: Path) -> None:
    async with gateway(tmp_path, "a") as made:
        made.authorizer = Allows("a.x")
        made.registry.put(offer("a", "x", "y"))
        view = View(made, "direct").seen_by(SOMEONE)
        assert [tool["name"] for tool in view.tools(legacy=False)] == ["read_result", "a__x"]
        made.authorizer = Allows("a.y")
        assert [tool["name"] for tool in view.tools(legacy=False)] == ["read_result", "a__y"]


async def test_only_a_server_that_changed_is_judged_again(tmp_path: Path) -> None:
    async with gateway(tmp_path, "a", "b") as made:
        made.authorizer = authorizer = Allows("a.x", "b.z", "b.new")
        made.registry.put(offer("a", "x", "y"))
        made.registry.put(offer("b", "z"))
        scope = made.scopes.of(SOMEONE)
        assert len(scope.registry.catalog) == 2
        asked = authorizer.asked
        made.registry.put(offer("b", "new", "z"))
        assert [tool.id for tool in scope.registry.catalog] == ["a.x", "b.new", "b.z"]
        assert authorizer.asked - asked == 2
        made.registry.drop("a")
        assert list(scope.registry.servers) == ["b"]
        made.registry.put(offer("a", "x"))
        assert list(scope.registry.servers) == ["a", "b"]
        assert scope.registry.search("x").hits


async def test_the_index_of_a_server_that_is_seen_whole_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_of: list[tuple[str, bool]] = []
    real = SearchEngine.replace_server

    def noted(engine: SearchEngine, server: str, tools: Any, about: str = "", stored: Any = None) -> bool:
        made_of.append((server, stored is not None))
        return real(engine, server, tools, about, stored)

    monkeypatch.setattr(SearchEngine, "replace_server", noted)
    async with gateway(tmp_path, "a", "b") as made:
        made.authorizer = Allows("a.x", "b.z")
        made.registry.put(offer("a", "x", "y"))
        made.registry.put(offer("b", "z"))
        assert [hit.tool.id for hit in made.scopes.of(SOMEONE).registry.search("z").hits] == ["b.z"]
    assert ("a", True) not in made_of
    assert ("b", True) in made_of


class Fails:
    """An authorizer that cannot decide."""

    def may(self, principal: Principal, tool: Tool) -> bool:
        raise LookupError(f"{principal.id} {tool.id}")


async def test_an_authorizer_that_fails_allows_nothing_that_it_allowed_before(tmp_path: Path) -> None:
    async with gateway(tmp_path, "a") as made:
        made.authorizer = Allows("a.x")
        made.registry.put(offer("a", "x"))
        scope = made.scopes.of(SOMEONE)
        assert len(scope.registry.catalog) == 1
        made.authorizer = Fails()
        for _again in range(2):
            with pytest.raises(LookupError):
                _ = scope.registry


@pytest.mark.promise("access:may")
async def test_kept_results_end_when_something_is_taken_from_their_principal(tmp_path: Path) -> None:
    async with gateway(tmp_path, "a") as made:
        made.authorizer = Allows("a.x")
        made.registry.put(offer("a", "x", "y"))
        mine, other = (Session(name, "", False, IDENTITY, principal=SOMEONE) for name in "mo")
        other.principal = LOCAL_USER
        made.sessions |= {mine, other}
        scope = made.scopes.of(SOMEONE)
        assert len(scope.registry.catalog) == 1
        refs = {session: made.results.keep("of x", session.owner) for session in (mine, other)}
        made.authorizer = Allows("a.x", "a.y")  # something is given
        made.registry.put(offer("a", "x"))  # a server takes something back
        assert len(scope.registry.catalog) == 1
        assert made.results.get(refs[mine], mine.owner).text == "of x"
        made.authorizer = Allows("a.y")
        assert len(scope.registry.catalog) == 0
        with pytest.raises(WrongArguments, match="there is no result"):
            made.results.get(refs[mine], mine.owner)
        assert made.results.get(refs[other], other.owner).text == "of x"


@pytest.mark.promise("access:may")
async def test_tasks_end_when_something_is_taken_from_their_principal(tmp_path: Path) -> None:
    async with gateway(tmp_path, "a") as made:
        made.authorizer = Allows("a.x")
        made.registry.put(offer("a", "x", "y"))
        view = View(made, "direct")
        mine, other = (caller_of(principal) for principal in (SOMEONE, LOCAL_USER))
        ids = {each: [await begun(view, each, work) for work in (done, never)] for each in (mine, other)}
        listed: Any = await answer(view, mine, "tasks/list", {})
        assert [task["taskId"] for task in listed["tasks"]] == ids[mine]
        made.authorizer = Allows("a.y")
        for task_id in ids[mine]:
            for method in ("tasks/get", "tasks/result", "tasks/cancel"):
                with pytest.raises(Refusal, match="no such task"):
                    await answer(view, mine, method, {"taskId": task_id})
        assert (await answer(view, mine, "tasks/list", {})) == {"tasks": []}
        theirs: Any = await answer(view, other, "tasks/get", {"taskId": ids[other][1]})
        assert theirs["status"] == "working"
        made.client_tasks.forget(LOCAL_USER)


def caller_of(principal: Principal) -> Caller:
    channel = InMemoryChannel()
    return Caller(
        Session(principal.id, "2025-11-25", False, IDENTITY, channel, principal=principal), IDENTITY, channel
    )


async def begun(view: View, caller: Caller, work: CarryOut) -> str:
    call = CallContext.of_request(view.shown_to(caller.session), caller, {"name": "a__x", "task": {}})
    created = await view.gateway.client_tasks.run(call, work)
    return str(created.value["task"]["taskId"])


async def done(_call: CallContext) -> ToolResult:
    return ToolResult.said("of x")


async def never(_call: CallContext) -> ToolResult:
    await anyio.sleep_forever()
    raise AssertionError


@pytest.mark.promise("access:may")
async def test_kept_results_end_when_a_tool_comes_back_forbidden(tmp_path: Path) -> None:
    async with gateway(tmp_path, "a") as made:
        made.authorizer = Allows("a.x", "a.y")
        made.registry.put(offer("a", "x", "y"))
        mine = Session("m", "", False, IDENTITY, principal=SOMEONE)
        made.sessions.add(mine)
        scope = made.scopes.of(SOMEONE)
        assert len(scope.registry.catalog) == 2
        ref = made.results.keep("of x", mine.owner)
        made.registry.put(offer("a", "y"))
        assert len(scope.registry.catalog) == 1
        assert made.results.get(ref, mine.owner).text == "of x"
        made.authorizer = Allows("a.y")
        made.registry.put(offer("a", "x", "y"))
        assert len(scope.registry.catalog) == 1
        with pytest.raises(WrongArguments, match="there is no result"):
            made.results.get(ref, mine.owner)


class Holds:
    """A gate that holds back tools by name."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def admit(self, offered: ServerTools) -> ServerTools:
        kept = [tool.name for tool in offered.tools if tool.name not in self._names]
        return offer(offered.server, *kept)

    def forget(self, server: str) -> None:
        raise AssertionError(f"{server} is still served")

    def why(self, tool: Tool) -> str:
        return f"{tool.id} is held back"

    def note(self, count: int) -> str:
        return f"{count} held back"

    def approved_hints(self, tool: Tool) -> None:
        """Nothing is approved."""


async def test_a_tool_that_is_held_back_is_said_only_to_who_might_use_it(tmp_path: Path) -> None:
    async with gateway(tmp_path, "a") as made:
        made.registry.gate = Holds("changed", "secret")
        made.authorizer = Allows("a.x", "a.changed")
        made.registry.put(offer("a", "x", "changed", "secret"))
        registry = made.scopes.of(SOMEONE).registry
        held = registry.held_back("a.changed")
        assert held is not None
        assert held.why == "a.changed is held back"
        assert registry.held_back("a.secret") is None
        assert registry.held_note() == ["1 held back"]
        assert [tool.id for tool in registry.catalog.tools] == ["a.x"]
        made.registry.put(offer("a", "secret"))
        assert made.scopes.of(SOMEONE).registry.servers == {}


GATEWAY = Path(toolbooth.gateway.__file__).parent
OF_THE_SCOPE = {"registry", "upstreams", "uris", "single", "offering", "status", "names_in_code", "notes"}


def read_of_the_whole(path: Path) -> Iterator[str]:
    """Where a file takes from the whole gateway what it should take from the scope of whoever asks."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    counted = {
        id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Attribute) and each.attr == "used"
    }
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Attribute(attr="gateway") | ast.Name(id="gateway"), attr=name):
                if name in OF_THE_SCOPE and id(node) not in counted:
                    yield f"{path.relative_to(GATEWAY)}:{node.lineno} {name}"


@pytest.mark.promise("access:may")
def test_handlers_take_tools_and_servers_from_the_scope_of_whoever_asks() -> None:
    folders = ("handlers", "calls", "builtin_tools", "builtin_resources", "surfaces")
    files = [file for folder in folders for file in sorted((GATEWAY / folder).glob("*.py"))]
    found = [
        line for file in (*files, GATEWAY / "transports" / "http_api.py") for line in read_of_the_whole(file)
    ]
    assert [each for each in found if not each.startswith("surfaces/view.py")] == []
