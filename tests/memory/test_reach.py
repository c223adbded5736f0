"""Whoever asks, through whatever door: no word of a memory that is out of reach, in no answer, warning or error."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

from casebook.clock import fixed_clock
from casebook.faults import CasebookError, NotFoundError
from casebook.runtime import Runtime
from casebook.task import Task

NOW = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)
SCOPES: tuple[dict[str, str], ...] = (
    {"user": "ann"}, {"user": "bob"}, {"project": "alpha"}, {"project": "beta"}, {"team": "red"}, {"agent": "one"},
    {"user": "ann", "project": "alpha"}, {"user": "bob", "project": "alpha"},
)  # fmt: skip
KINDS = ("fact", "rule", "identity", "preference")
WHO: tuple[dict[str, Any], ...] = tuple(
    {key: value for key, value in zip(("user", "project", "team", "agent"), each, strict=True) if value}
    for each in product((None, "ann", "bob", "eve"), (None, "alpha", "beta"), ((), ("red",)), (None, "one"))
)


def word_of(at: int, kind: str) -> str:
    return f"zq{at}{kind}zq"


def is_within(scope: dict[str, str], who: dict[str, Any]) -> bool:
    return all(value in who.get(key, ()) if key == "team" else who.get(key) == value for key, value in scope.items())


def test_no_word_of_what_is_out_of_reach_is_told_to_anybody(tmp_path: Path) -> None:
    (tmp_path / "memory-policy.yaml").write_text("format: 1\nlimits: {max_related: 50}\n")
    (tmp_path / "long_term").mkdir()
    memories = [
        {
            "id": f"m-{at}-{kind}", "kind": kind, "tier": "L3", "scope": scope,
            "text": f"deploy the server with {word_of(at, kind)}",
        }
        for at, scope in enumerate(SCOPES)
        for kind in KINDS
    ]  # fmt: skip
    path = tmp_path / "long_term" / "knowledge.json"
    path.write_text(json.dumps({"format": 1, "memories": memories}))
    seen = 0
    with Runtime.open(str(tmp_path), clock=fixed_clock(NOW)) as runtime:
        for who in WHO:
            told = [
                repr(runtime.recall("deploy the server", limit=100, counts=False, **who)),
                repr(runtime.before_task(Task(text="deploy the server", **who))),
                repr(runtime.session_start(Task(point="session_start", **who))),
                repr(runtime.explain(Task(text="deploy the server", **who))),
            ]
            for at, scope in enumerate(SCOPES):
                if not is_within(scope, who):
                    try:
                        runtime.remember({"text": "It is port 7", "corrects": f"m-{at}-fact"}, **who)
                    except NotFoundError as error:
                        told.append(str(error).replace(f"m-{at}-fact", "asked", 1))
                    except CasebookError as error:  # pragma: no cover
                        raise AssertionError("what is out of reach does not exist") from error
                    else:
                        raise AssertionError("what is out of reach was corrected")
            for at, scope in enumerate(SCOPES):
                is_told = any(word_of(at, kind) in each or f"m-{at}-" in each for kind in KINDS for each in told)
                assert is_told == is_within(scope, who), (who, scope)
                seen += is_told
    assert seen
