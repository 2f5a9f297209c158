"""Exams: the questions for an endpoint and its baseline, made from a pair, a corpus or a golden set."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from toolbooth import figures, limits
from toolbooth.bench import metrics, queries
from toolbooth.bench.corpus import Corpus, Pair
from toolbooth.bench.golden import GoldenQuestion, GoldenSet, Label
from toolbooth.catalog import Catalog, Tool


@dataclass(frozen=True)
class Exam:
    """`scored`: the questions have labels, so that answers can be judged. Without a corpus there is no baseline."""

    questions: tuple[GoldenQuestion, ...]
    corpus: Corpus | None = None
    golden: GoldenSet | None = None
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def scored(self) -> bool:
        return self.golden is not None

    @property
    def catalog(self) -> Catalog:
        """The tools behind the endpoint, as far as they are known."""
        return self.corpus.catalog if self.corpus is not None else Catalog()

    @property
    def tools(self) -> list[str]:
        """Every tool with a known name: those of the corpus and the labelled ones."""
        labelled = (label.tool for each in self.questions for label in each.labels)
        return list(dict.fromkeys([*(tool.id for tool in self.catalog), *labelled]))

    def pair(self, asked: Iterable[GoldenQuestion]) -> Pair:
        """The questions that were asked, for scoring, with the versions of the whole set."""
        golden = self.golden or GoldenSet("", ())
        corpus = self.corpus or Corpus(golden.corpus_version, Catalog())
        return Pair(corpus, replace(golden, questions=tuple(asked)), self.unknown, self.notes)


def exam_of(pair: Pair) -> Exam:
    """Every question of a golden set over its corpus."""
    return Exam(pair.golden.questions, pair.corpus, pair.golden, pair.unknown, pair.notes)


def exam_of_golden(golden: GoldenSet) -> Exam:
    """Questions alone: only the labelled tools are known."""
    note = "no corpus is named, so there is no baseline, and labels are not checked"
    return Exam(golden.questions, None, golden, (), (note,))


def exam_of_corpus(corpus: Corpus) -> Exam:
    """Questions made from the words of the tools, for tokens and times but not for retrieval."""
    tools = _spread(corpus.catalog.tools, limits.UNLABELLED_QUESTIONS)
    asked = tuple(
        GoldenQuestion(
            tool.id,
            queries.queries_of([tool], 1, seed=at)[0],
            (Label(f"{tool.server}:{tool.name}", metrics.RELEVANT),),
        )
        for at, tool in enumerate(tools)
    )
    made = figures.counted(len(asked), "query", "queries")
    note = f"no golden set is named; {made} from the words of the tools measure only tokens and times"
    return Exam(asked, corpus, None, (), (note,))


def _spread(tools: tuple[Tool, ...], most: int) -> list[Tool]:
    """Tools evenly spread over the catalog, so that every server is included."""
    step = max(1.0, len(tools) / most)
    return [tools[int(at * step)] for at in range(min(most, len(tools)))]
