"""One table of tool names: a host's own name to the canonical one, so that a case travels between hosts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

_DATA = Path(__file__).parent / "data" / "tools.json"


@lru_cache(maxsize=1)
def hosts() -> Mapping[str, Mapping[str, str]]:
    """Give the shipped table as it is laid out for people: host to native name to canonical name."""
    read = json.loads(_DATA.read_text(encoding="utf-8"))["hosts"]
    return MappingProxyType({host: MappingProxyType(names) for host, names in read.items()})


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, str]:
    """Give the shipped table: native name to canonical name; a name means the same for every host that has it."""
    table: dict[str, str] = {}
    for names in hosts().values():
        table.update(names)
    return MappingProxyType(table)


@lru_cache(maxsize=1)
def _folded() -> Mapping[str, str]:
    """Give the shipped names in lower case, those left out that would then mean two things."""
    meanings: dict[str, set[str]] = {}
    for native, canonical in shipped().items():
        meanings.setdefault(native.casefold(), set()).add(canonical)
    return MappingProxyType({name: one.pop() for name, one in meanings.items() if len(one) == 1})


def canonical_tool(native: str, policy_tools: Mapping[str, str]) -> str:
    """Give the canonical name of a host's tool.

    Args:
        native: the host's own name.
        policy_tools: the policy's `tools`, native to canonical; they win over the shipped table.

    Returns:
        The canonical name: by the policy, else by the shipped table, exactly as written or else in any case; a name
        that is in neither stays as it is.
    """
    found = policy_tools.get(native) if policy_tools else None
    if found is None:
        found = shipped().get(native)
        if found is None:
            return _folded().get(native.casefold(), native)
    return found
