"""Results → the tables that are printed and put into documents."""

from collections.abc import Sequence

from toolbooth.cli.bench.figures import difference, figure
from toolbooth.figures import counted

from .contenders import MINILM, OURS, WORDS
from .layout import Table, as_markdown
from .results import LOAD_LIMIT_MS, SHOWN, Mean, Model, Results, Scale, Scored, SetFacts


def set_table(facts: SetFacts, scored: Sequence[Scored]) -> Table:
    """One set: every contender, fused and alone."""
    seen = [each.contender for each in scored if each.may_have_seen and each.way == "fused"]
    kind = f"may have been seen by {' and '.join(seen)}" if seen else "zero-shot for all"
    tools = f"{counted(facts.tools, 'tool')} of {counted(facts.servers, 'server')}"
    title = f"{facts.name}: {tools}, {counted(facts.questions, 'question')}; {kind}"
    heads = ["contender", "way", *SHOWN.values(), *(f"ours − theirs, {label}" for label in SHOWN.values())]
    return Table(title, heads, [_scored(each) for each in scored], _query_times(facts.query_ms))


def means_table(means: Sequence[Mean]) -> Table:
    """Each set counts the same, however many questions it has."""
    groups = dict.fromkeys((each.over, each.sets) for each in means)
    heads = ["contender", "way"]
    heads += [f"{label}, {over} ({sets})" for over, sets in groups for label in SHOWN.values()]
    rows = []
    for way, contender in dict.fromkeys((each.way, each.contender) for each in means):
        found = {each.over: each for each in means if (each.way, each.contender) == (way, contender)}
        figures = [figure(found[over].metrics[key]) for over, _ in groups for key in SHOWN]
        rows.append([contender, _way(contender, way), *figures])
    return Table("means over the sets", heads, rows)


def models_table(models: Sequence[Model]) -> Table:
    """Sizes and times; how many times ours a query takes."""
    ours = next((each.query_ms for each in models if each.contender == OURS), None)
    heads = ["model", "on disk", "load and first query", "the same with imports", "one query, p50", "× ours"]
    return Table(
        "what the models cost", heads, [_model(each, ours) for each in models], _load_verdict(models)
    )


def scale_line(scale: Scale) -> str:
    """Ours alone."""
    return f"ours embeds {scale.tools:,} tools of {scale.servers:,} servers in {scale.seconds:.1f} s"


def document(results: Results) -> str:
    """All of it as Markdown."""
    by_set = [
        set_table(facts, [each for each in results.scored if each.set == facts.name])
        for facts in results.sets
    ]
    tables = [means_table(results.means), *by_set, models_table(results.models)]
    lines = [results.machine, *([scale_line(results.scale)] if results.scale else []), *results.notes]
    return "\n\n".join([*map(as_markdown, tables), "\n".join(f"- {line}" for line in lines)])


def _scored(each: Scored) -> list[str]:
    name = f"{each.contender} (may have seen)" if each.may_have_seen else each.contender
    figures = [figure(each.metrics[key], each.intervals.get(key)) for key in SHOWN]
    return [name, _way(each.contender, each.way), *figures, *(_apart(each, key) for key in SHOWN)]


def _way(contender: str, way: str) -> str:
    """Words have nothing to be fused with."""
    return "words" if contender == WORDS else way


def _apart(each: Scored, key: str) -> str:
    found = each.ours_minus_theirs.get(key)
    return f"{difference(found)} {each.outcomes[key]}" if found else ""


def _query_times(query_ms: dict[str, float]) -> str:
    said = ", ".join(f"{name} {took:.3g} ms" for name, took in query_ms.items())
    ours, theirs = query_ms.get(OURS), query_ms.get(MINILM)
    ratio = f"; {MINILM} takes {theirs / ours:.0f} × as long as ours" if ours and theirs else ""
    return f"one query embedded, p50: {said}{ratio}"


def _model(each: Model, ours: float | None) -> list[str]:
    query = "" if each.query_ms is None else f"{each.query_ms:.3g} ms"
    ratio = f"{each.query_ms / ours:.1f}" if each.query_ms and ours else ""
    loads = f"{each.load_ms:.1f} ms", f"{each.start_ms:.1f} ms"
    return [each.contender, f"{each.bytes / 1e6:.1f} MB", *loads, query, ratio]


def _load_verdict(models: Sequence[Model]) -> str:
    ours = next((each.load_ms for each in models if each.contender == OURS), None)
    if ours is None:
        return ""
    kept = "under" if ours < LOAD_LIMIT_MS else "NOT under"
    return f"ours is {kept} {LOAD_LIMIT_MS:.0f} ms: {ours:.1f} ms until its table is loaded and a first query embedded"
