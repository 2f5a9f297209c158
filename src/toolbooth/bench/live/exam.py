"""A pair, a corpus, a golden set or nothing → what an endpoint is asked, and what it is compared with."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from toolbooth.bench.corpus import Corpus, Pair
from toolbooth.bench.counted import counted
from toolbooth.bench.golden import GoldenSet, Label, Question
from toolbooth.bench.metrics import RELEVANT
from toolbooth.bench.queries import queries_of
from toolbooth.catalog import Catalog, Tool
from toolbooth.limits import UNLABELLED_QUESTIONS


@dataclass(frozen=True)
class Exam:
    """`scored`: the questions are labelled, so what is found can be judged. Without a corpus there is no baseline."""

    questions: tuple[Question, ...]
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
        """Every tool that is known by name: those of the corpus, or at least the labelled ones."""
        labelled = (label.tool for each in self.questions for label in each.labels)
        return list(dict.fromkeys([*(tool.id for tool in self.catalog), *labelled]))

    def pair(self, asked: Iterable[Question]) -> Pair:
        """What was asked in the end, for scoring; the versions are those of the whole."""
        golden = self.golden or GoldenSet("", ())
        corpus = self.corpus or Corpus(golden.corpus_version, Catalog())
        return Pair(corpus, replace(golden, questions=tuple(asked)), self.unknown, self.notes)


def exam_of(pair: Pair) -> Exam:
    """Every question of a golden set over its corpus."""
    return Exam(pair.golden.questions, pair.corpus, pair.golden, pair.unknown, pair.notes)


def exam_of_golden(golden: GoldenSet) -> Exam:
    """Questions alone: nothing is known of the tools but the labels."""
    said = "no corpus is named: there is no baseline, and labels are taken as they are"
    return Exam(golden.questions, None, golden, (), (said,))


def exam_of_corpus(corpus: Corpus) -> Exam:
    """Questions made of the tools' own words: for tokens and times, not for judging what is found."""
    tools = _spread(corpus.catalog.tools, UNLABELLED_QUESTIONS)
    asked = tuple(
        Question(tool.id, queries_of([tool], 1, seed=at)[0], (Label(f"{tool.server}:{tool.name}", RELEVANT),))
        for at, tool in enumerate(tools)
    )
    made = f"{counted(len(asked), 'query')} of the tools' own words"
    said = f"no golden set is named: {made}, for tokens and times only"
    return Exam(asked, corpus, None, (), (said,))


def _spread(tools: tuple[Tool, ...], most: int) -> list[Tool]:
    """Evenly over the catalog, so that every server has its share."""
    step = max(1.0, len(tools) / most)
    return [tools[int(at * step)] for at in range(min(most, len(tools)))]
