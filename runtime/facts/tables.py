"""The tables of tools and intents as Markdown, for `docs/facts.md`."""

from __future__ import annotations

from casebook.runtime.facts.intent_table import shipped_entries
from casebook.runtime.facts.tools import hosts


def alias_table() -> str:
    """Give the table of tool names: canonical name, then each host's own names for it."""
    by_canonical: dict[str, dict[str, list[str]]] = {}
    for host, names in hosts().items():
        for native, canonical in names.items():
            by_canonical.setdefault(canonical, {}).setdefault(host, []).append(native)
    rows = ["| `tool` | hosts' own names |", "|---|---|"]
    for name, told in by_canonical.items():
        shown = " · ".join(f"{host}: {' '.join(f'`{each}`' for each in natives)}" for host, natives in told.items())
        rows.append(f"| `{name}` | {shown} |")
    return "\n".join(rows)


def intent_list() -> str:
    """Give the shipped intents with some of the words that lead to them."""
    rows = ["| intent | such as |", "|---|---|"]
    for name, entry in shipped_entries().items():
        words = [word.decode() for word in entry.words][:5]
        rows.append(f"| `{name}` | {'、'.join(words)} |")
    return "\n".join(rows)
