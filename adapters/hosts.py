"""The hosts there are: one table, by the name that is typed. An adapter's module is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib import import_module
from types import ModuleType

from casebook.adapters.protocol import Host
from casebook.faults import CasebookError, nearest

_ALL = (
    Host("claude-code", "Claude Code", "hooks.claude_code", keeps=True, confirms="asks", related=False),
    Host("codex", "Codex", "hooks.codex", keeps=True, related=False),
    Host("gemini", "Gemini CLI", "hooks.gemini", keeps=True, advises="after", related=False),
    Host("openclaw", "OpenClaw", "hooks.openclaw", keeps=False, confirms="asks", related=False),
    Host("opencode", "OpenCode", "hooks.opencode", keeps=True, advises="after", related=False),
    Host("langchain", "LangChain", "langchain", keeps=False, extra="langchain"),
    Host("openai-agents", "OpenAI Agents SDK", "openai_agents", keeps=False, extra="openai-agents"),
    Host("pydantic-ai", "pydantic-ai", "pydantic_ai", keeps=False, extra="pydantic-ai"),
    Host("mcp", "MCP", "mcp", keeps=True, confirms="no", blocks="no", extra="mcp"),
    Host("http", "HTTP", "http", keeps=False, confirms="no", blocks="no", extra="server"),
)

HOSTS: Mapping[str, Host] = {each.name: each for each in _ALL}
"""Every host, by its name. For a new one: its row here, its module, and a rig in `tests/adapters/rigs`."""


def host_of(name: str) -> Host:
    """Give a host by its name. Raises CasebookError, with the nearest name, where there is none."""
    found = HOSTS.get(name)
    if found is None:
        near = nearest_host(name, HOSTS)
        cure = f"; did you mean {near}?" if near else ""
        raise CasebookError(f"host: expected one of {', '.join(HOSTS)}, got {name!r}{cure}")
    return found


def nearest_host(name: str, names: Collection[str]) -> str | None:
    """Give the host that a name most likely meant, by its whole name or the first word of it (`claude`); None where none is near."""
    by_word = {each.split("-")[0]: each for each in reversed(list(names))}
    if name in by_word:
        return by_word[name]
    word = nearest(name, by_word)
    return nearest(name, names) or (by_word[word] if word else None)


def adapter_of(host: Host) -> ModuleType:
    """Import a host's adapter. Raises CasebookError where what it needs is not installed, with the command that installs it."""
    try:
        return import_module(f"casebook.adapters.{host.module}")
    except ModuleNotFoundError as error:
        if not host.extra or (error.name or "").startswith("casebook"):
            raise
        raise CasebookError(
            f"{host.title}: {error.name} is not installed; pip install 'casebook-runtime[{host.extra}]' brings it"
        ) from None
