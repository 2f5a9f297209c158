"""Small corpora that the tests of the modes share."""

from typing import Any

from tests.unit.search.sample_catalog import TOOLS, catalog

from toolbooth.bench import Corpus, GoldenQuestion, GoldenSet, Label, Pair
from toolbooth.catalog import Catalog, ServerTools, Tool

SAMPLE = Corpus("shelf", catalog(TOOLS))


def question(name: str, query: str, *right: str) -> GoldenQuestion:
    return GoldenQuestion(name, query, tuple(Label(each.replace(".", ":", 1), 2) for each in right))


ISSUE = question("issue", "open a new issue in a repository", "github.create_issue")
FORECAST = question("rain", "weather of the next days", "weather.get_forecast", "weather.get_alerts")
HIDDEN = question("hidden", "weather of the next days", "mail.send_email")
NOBODY = question("nobody", "fold a paper crane")


def asked(*questions: GoldenQuestion, corpus: Corpus = SAMPLE) -> Pair:
    return Pair(corpus, GoldenSet(corpus.version, questions, "golden"))


def tool(name: str, schema: dict[str, Any] | None = None, description: str = "Does one thing") -> Tool:
    return Tool("alone", name, description, schema)


def corpus_of(*tools: Tool, instructions: str | None = None) -> Corpus:
    return Corpus("made", Catalog((ServerTools("alone", tools, instructions),)))
