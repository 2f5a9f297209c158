"""The whole training, from data to weights: `python -m training --data FOLDER --out FOLDER` (docs/model-card.md)."""

import argparse
import sys
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import torch

from toolbooth.search import StaticTable
from training.bags import Bags, ToolBags, plain_bag, query_bag
from training.cached_state import State, cached_state, digest_of
from training.calibrate import calibrate
from training.contrast import Anchor, Pairs, Places, Plan, contrast, neighbourhoods
from training.distil import distil, principal, starting_rows
from training.generate import TEXTS
from training.judge import held_out_paper, judge
from training.log import Log
from training.material import Material, Pair, gather, tool_text, word_texts
from training.pack import as_numpy, pack
from training.sources import ROOT, exams, made_sources, training_sources
from training.split import honest, prove
from training.student import Student
from training.teacher import CachedVectors, Floats, Teacher
from training.vocabulary import Vocabulary, make_vocabulary

SEED = 0
VERSION = "2"  # version of the weights; the first was the reference table
SIZE = 28_500  # rows: with 256 columns and the words themselves just under 8 MB
PHRASES = 3_500
EPOCHS = 6
PLANS = (Plan(), Plan(steps=1_200, anchor=10.0, own=0.35, seed=1))


class Trained(NamedTuple):
    """The trained table: the rows, and the factor of each in a request."""

    rows: Floats
    asked: Floats

    @classmethod
    def mean_of(cls, states: Sequence[State]) -> Self:
        """The mean of tables that began with the same rows; it is better than each of them."""
        rows = torch.stack([state["rows"] @ state["turn"] for state in states]).mean(0)
        asked = torch.stack([state["asked"] for state in states]).mean(0).exp()
        return cls(as_numpy(rows), as_numpy(asked))


class Run:
    """Everything that one training makes; each part is made when it is first needed."""

    def __init__(self, data: Path, work: Path, plans: Sequence[Plan]) -> None:
        torch.manual_seed(SEED)
        torch.use_deterministic_algorithms(True)
        self.data, self.work, self.plans, self.log = data, work, plans, Log(work / "log.jsonl")
        self.teacher = cache(Teacher)
        self.kept = CachedVectors(work / "teacher", self.log, self.teacher)

    def material(self) -> Material:
        """The texts to learn from; raises Leak if part of an exam is among them."""
        held = exams(self.data)
        sources = honest([*training_sources(self.data), *made_sources(TEXTS / "made.tsv")], held)
        material = gather(sources, held, SEED)
        prove(material.sources, material.learned, held)
        counted = {
            "tools": len(sources),
            "texts": len(material.texts),
            "generated": len(material.generated),
            "written": len(material.written),
            "held_out": len(material.held_out),
        }
        self.log(f"material, proved to hold nothing of {len(held)} exams: {counted}", **counted)
        return material

    def vocabulary(self, material: Material) -> Vocabulary:
        """The pieces and their counts."""
        teacher = self.teacher().vocabulary
        found = make_vocabulary(material.learned, material.groups(), teacher, SIZE, PHRASES)
        phrases = sum(" " in piece for piece in found.pieces.rows)
        self.log(f"vocabulary: {len(found.pieces.rows):,} rows, {phrases:,} of them phrases")
        return found

    def first_stage(self, texts: list[str], words: Vocabulary, taught: Floats) -> Student:
        """Rows whose sums match the teacher's vectors."""
        directions = principal(taught)
        alone = self.teacher().encode_pieces(list(words.pieces.rows))
        blank = [" " in piece for piece in words.pieces.rows]
        student = Student(starting_rows(alone, directions, words.counts, blank))

        def train() -> dict[str, torch.Tensor]:
            bags = Bags(plain_bag(text, words.pieces) for text in texts)
            distil(student, bags, taught, directions, EPOCHS, self.log)
            return student.state_dict()

        made_of = [digest_of(texts), digest_of(words.pieces.rows), EPOCHS]
        student.load_state_dict(cached_state(self.work, "stage1", made_of, train))
        return student

    def second_stage(
        self, start: Student, material: Material, texts: list[str], words: Vocabulary, taught: Floats
    ) -> Trained:
        """Rows by which a request finds its tool: the mean of several trainings from the same start."""
        tools = [source.tool for source in material.sources]
        seen = self.kept.encode([tool_text(tool) for tool in tools], "tools")
        numbers = {name: at for at, name in enumerate(dict.fromkeys(tool.server for tool in tools))}
        places = Places(seen, np.array([numbers[tool.server] for tool in tools]), neighbourhoods(seen))
        at = len(material.texts)
        generated = _pairs(material.generated, words, taught[at : at + len(material.generated)])
        written = _pairs(
            material.written, words, taught[at + len(material.generated) : len(material.learned)]
        )
        bags = ToolBags(tools, [source.about for source in material.sources], words.pieces)
        anchor = Anchor(Bags(plain_bag(text, words.pieces) for text in texts), taught)

        def train(plan: Plan) -> State:
            student = deepcopy(start)
            self.log(f"stage 2: {plan}")
            contrast(student, [written, generated], bags, places, anchor, plan, self.log)
            return student.state_dict()

        inputs = [digest_of(texts), digest_of(words.pieces.rows), EPOCHS]
        states = [
            cached_state(self.work, "stage2", [*inputs, asdict(plan)], partial(train, plan))
            for plan in self.plans
        ]
        return Trained.mean_of(states)


def _pairs(pairs: list[Pair], words: Vocabulary, taught: Floats) -> Pairs:
    bags = Bags(query_bag(pair.text, words.pieces) for pair in pairs)
    return Pairs(bags, np.array([pair.tool for pair in pairs]), taught)


def main() -> None:
    """Train, pack, judge."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the tools and of the exams")
    parser.add_argument(
        "--out", type=Path, default=ROOT / ".cache" / "training" / "model", help="folder of the weights"
    )
    parser.add_argument(
        "--work", type=Path, default=ROOT / ".cache" / "training", help="what a stopped run goes on from"
    )
    options = parser.parse_args()
    if not options.data.is_dir():
        sys.exit(f"{options.data} is absent: there is nothing to learn from")
    run = Run(options.data, options.work, PLANS)
    material = run.material()
    words = run.vocabulary(material)
    texts = [*material.learned, *word_texts(words.rare(), exams(options.data), SEED)]
    taught = run.kept.encode(texts, "what is learned")
    student = run.first_stage(texts, words, taught)
    trained = run.second_stage(student, material, texts, words, taught)
    about = {"version": VERSION, "made by": "python -m training", "seed": str(SEED)}
    digest = pack(trained.rows, trained.asked, words.pieces, options.out, about)
    run.log(f"packed: {options.out}, sha256 {digest}", sha256=digest)
    paper = held_out_paper(material)
    for embedder in (StaticTable(options.out), None):
        calibrate(paper, embedder, run.log)
    judge(options.out, options.data, material, run.log)


if __name__ == "__main__":
    main()
