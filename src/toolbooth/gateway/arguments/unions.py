"""A value that fits none of several schemas → the problems by the one that was probably meant."""

from typing import Any

from toolbooth.gateway.arguments.inspection import Inspection, rule
from toolbooth.gateway.arguments.node import Node
from toolbooth.gateway.arguments.problem import Finding, called, wrong_choice, wrong_type


@rule("anyOf", "oneOf")
def union(look: Inspection, node: Node, value: Any, path: str) -> None:
    for word in ("anyOf", "oneOf"):
        if word in node.words and not look.keeps(node, (word,), value):
            _explain(look, node.words[word], value, path)


def _explain(look: Inspection, branches: list[Node | bool], value: Any, path: str) -> None:
    if any(look.fits(branch, value) for branch in branches):
        look.report(
            Finding(path, f"{called(path)} must be of one kind only; it fits several of the schema's")
        )
        return
    trials = [look.trial(branch, value, path) for branch in branches]
    for finding in _meant(trials, value, path):
        look.report(finding)


def _meant(trials: list[list[Finding]], value: Any, path: str) -> list[Finding]:
    """What all branches say together if none takes such a value, else what the nearest one says."""
    near = [trial for trial in trials if not _says(trial, path, "types")]
    if not near:
        wanted = [kind for trial in trials for each in trial if each.path == path for kind in each.types]
        return [wrong_type(path, wanted, value)] if wanted else []
    chosen = [trial for trial in near if _says(trial, path, "choices")]
    if len(chosen) == len(near):
        wanted = [
            option for trial in chosen for each in trial if each.path == path for option in each.choices
        ]
        return [wrong_choice(path, wanted)]
    return min((trial for trial in near if trial), key=_distance, default=[])


def _says(trial: list[Finding], path: str, what: str) -> bool:
    return any(each.path == path and getattr(each, what) for each in trial)


def _distance(trial: list[Finding]) -> tuple[int, int]:
    """A value of another choice (`kind: "a"`) means another branch, whatever else is wrong."""
    return sum(bool(each.choices) for each in trial), len(trial)
