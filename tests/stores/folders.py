"""Casebooks in folders, for tests."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from casebook.clock import fixed_clock
from casebook.stores.folder import FolderStore
from casebook.stores.protocol import Snapshot

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)


def case(name: str = "a", **fields: Any) -> dict[str, Any]:
    return {"id": name, "trigger_conditions": ['intent is "push"'], "correction": f"Do {name} better.", **fields}


def opened(root: Path, *, cache: bool = False, layer: str = "") -> FolderStore:
    return FolderStore(root, clock=fixed_clock(NOW), cache=cache, layer=layer)


def write(root: Path, name: str, content: Any) -> Path:
    path = root / "long_term" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(
            content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, indent=2), "utf-8"
        )
    return path


def told(snapshot: Snapshot) -> list[str]:
    return [str(fault) for fault in snapshot.faults]


def seen(snapshot: Snapshot) -> tuple[Any, ...]:
    """All that a snapshot says, but for its generation."""
    cases = [(name, loaded, loaded.line, loaded.version, loaded.conditions) for name, loaded in snapshot.cases.items()]
    return cases, snapshot.faults, snapshot.policy
