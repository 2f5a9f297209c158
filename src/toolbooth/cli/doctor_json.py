"""A doctor report → the JSON document of `toolbooth doctor --json`."""

from dataclasses import asdict
from typing import Any

from toolbooth import __version__
from toolbooth.cli.doctor_clients import ClientSurface, Held, advice, look_alikes
from toolbooth.cli.doctor_report import WINDOW, Report
from toolbooth.economics import Advice, AnswerRisk, Cluster, ServerDiagnosis, ToolDiagnosis
from toolbooth.tokens import CarryPrice


def as_json(report: Report) -> dict[str, Any]:
    """Everything that the table shows, and all the tools.

    `total_tokens`, `window`, `price` and `budget` are of the heaviest client; `servers` and `tools` are of all.
    """
    diagnosis = report.diagnosis
    return {
        "toolbooth": __version__,
        "encoding": diagnosis.encodings[0],
        "total_tokens": report.tokens,
        "totals": report.heaviest.tokens_by_encoding,
        "clients": [_client(each) for each in report.clients],
        "window": {"tokens": WINDOW, "share": round(report.window_share, 6)},
        "price": _price(report.price) if report.price else None,
        "price_note": report.price_note,
        "fingerprint": diagnosis.fingerprint,
        "complete": not report.incomplete,
        "budget": _budget(report) if report.budget is not None else None,
        "servers": [_server(each) for each in diagnosis.servers],
        "tools": [_tool(each) for each in diagnosis.tools],
        "slimming": {"saves_tokens": diagnosis.slim_saving, "noise": diagnosis.noise},
        "duplicates": [_held(each) for each in look_alikes(report.clients)],
        "advice": [_held(each) for each in advice(report.clients)],
        "set_aside": [asdict(each) for each in diagnosis.set_aside],
        "troubles": [each._asdict() for each in report.sources.troubles],
        "notes": list(report.sources.notes),
        "disabled": list(report.sources.disabled),
        "sources": list(report.sources.read),
    }


def _client(each: ClientSurface) -> dict[str, Any]:
    return {
        "client": each.client or None,
        "tools": each.tools,
        "tokens": each.tokens,
        "tokens_by_encoding": each.tokens_by_encoding,
        "window_share": round(each.tokens / WINDOW, 6),
        "servers": [server.server.server for server in each.seen],
        "gateways": [menu._asdict() for menu in each.menus],
        "tokens_behind": sum(server.tokens for server in each.behind),
    }


def _held(each: Held[Advice] | Held[Cluster]) -> dict[str, Any]:
    return {**asdict(each.found), "clients": list(each.clients)}


def _price(price: CarryPrice) -> dict[str, Any]:
    return {
        "model": price.model,
        "provider": price.provider,
        "calls": 1000,
        "usd": float(price.uncached),
        "usd_cached": None if price.cached is None else float(price.cached),
    }


def _budget(report: Report) -> dict[str, Any]:
    return {
        "limit": report.budget,
        "passed": report.exit_code == 0,
        "over_by": report.over_by,
        "offenders": [each.weight.id for each in report.offenders],
        "clients_over": [each.client for each in report.clients if each.tokens > (report.budget or 0)],
    }


def _server(each: ServerDiagnosis) -> dict[str, Any]:
    return {
        "server": each.server.server,
        "title": each.server.title,
        "version": each.server.version,
        "protocol": each.server.protocol,
        "tools": len(each.server.tools),
        "tokens": each.tokens,
        "tokens_by_encoding": dict(each.tokens_by_encoding),
        "share": round(each.share, 6),
        "instructions_tokens": each.instructions_tokens,
    }


def _tool(each: ToolDiagnosis) -> dict[str, Any]:
    return {
        **asdict(each.weight),
        "server": each.tool.server,
        "share": round(each.share, 6),
        "tokens_by_encoding": dict(each.tokens_by_encoding),
        "slim_saves": each.slim_saving,
        "noise": dict(each.noise),
        "answers": _answers(each.answers),
    }


def _answers(answers: AnswerRisk) -> dict[str, Any]:
    return {
        "risk": answers.risk,
        "estimated_max_tokens": answers.profile.max_tokens if answers.profile else None,
        "bounded": answers.bounded,
        "bounded_by": answers.bounded_by,
        "reason": answers.reason,
    }
