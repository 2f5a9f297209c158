"""The sums of a diagnosis, whatever the names of the servers."""

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.economics import diagnose


def test_two_servers_with_one_name_are_summed_separately() -> None:
    light = (Tool("kube", "one", "First"),)
    heavy = (Tool("kube", "two", "Second " * 50), Tool("kube", "three", "Third"))
    found = diagnose(Catalog((ServerTools("kube", light), ServerTools("kube", heavy))))
    assert [len(each.server.tools) for each in found.servers] == [2, 1]
    assert found.servers[0].tokens > found.servers[1].tokens > 0
    assert sum(each.tokens for each in found.servers) == found.total_tokens
    assert sum(each.share for each in found.servers) == 1
