"""`casebook doctor`: how a casebook stands, and what serves it."""

from __future__ import annotations

import os
import platform
import stat
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from casebook import __version__
from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.hosts_told import hosts_lines, hosts_told, hosts_troubles
from casebook.adapters.cli.place import POLICY_NAME, Root, clock_of, folder_store, opened, roots
from casebook.adapters.cli.targets import Target
from casebook.adapters.cli.trust_told import trust_told

if TYPE_CHECKING:
    from casebook.clock import Clock
    from casebook.policy import Policy

_PACKAGES = (
    "durable-rules", "google-re2", "ahocorasick-rs", "lark", "pydantic", "pyyaml", "filelock", "tzdata", "bm25s", "numpy",
    "apscheduler",
)  # fmt: skip
_VARIABLES = ("CASEBOOK_DIR", "CASEBOOK_MODE", "CASEBOOK_TRACEBACK")
Figures = dict[str, Any]


def arguments(_: Parser) -> None:
    """Add nothing: it takes no arguments of its own."""


def run(options: Namespace) -> int:
    """Print how things stand; code 1 where the casebook has errors. Without a casebook it tells of the rest."""
    places = _places(options)
    report: Figures = {"release": _release()}
    if places:
        clock = clock_of(options, places)
        report["casebooks"] = [_casebook(each, clock) for each in places]
        with opened(options) as runtime:
            report["engine"] = _engine(runtime.engine, options.engine) | dict(runtime.figures())
            report["policy"] = _policy(runtime.policy(), clock)
            report["limits"] = _limits(runtime.policy())
    else:
        report["casebooks"] = []
        from casebook.runtime.matching.engines import matcher

        report["engine"] = _engine(matcher(options.engine).engine, options.engine)
    report["service"] = _service()
    report["hosts"] = hosts = hosts_told(options)
    report["environment"] = {name: os.environ[name] for name in _VARIABLES if os.environ.get(name)}
    if options.json:
        output.data(report)
    else:
        for line in _lines(report | {"hosts": hosts_lines(hosts)}):
            output.line(output.flat(line))
    output.several((f"warning: {trouble}" for trouble in hosts_troubles(hosts)), "--json tells all")
    return _judged(report["casebooks"])


def _places(options: Namespace) -> tuple[Root, ...]:
    """Give the casebook's folders; none where none was named and none is here."""
    try:
        return roots(options)
    except UsageError as error:
        if options.dir:
            raise
        output.words(str(error))
        return ()


def _judged(casebooks: list[Figures]) -> int:
    """Say what deserves a look, and give the exit code."""
    output.several(
        (f"warning: {trouble}" for casebook in casebooks for trouble in casebook["troubles"]), "--json tells all"
    )
    errors = sum(casebook["errors"] for casebook in casebooks)
    if errors:
        output.words(f"{output.counted(errors, 'error')}; `casebook check` tells them")
    return 1 if errors else 0


def _release() -> Figures:
    """Give the versions of what serves."""
    found: Figures = {
        "casebook": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(terse=True),
    }
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def _service() -> Figures:
    """Give the service of this user that is up; nothing where none is."""
    from casebook.adapters.http.handshake import who

    standing = who()
    if standing is None:
        return {}
    stale = standing.release != __version__
    told = f"{standing.release}, another one: `casebook serve` replaces it" if stale else standing.release
    return {
        "release": told,
        "process": str(standing.pid),
        "http": standing.url or None,
        "casebooks": list(standing.casebooks),
    }


def _engine(name: str, asked: str) -> Figures:
    """Give which engine serves, and why."""
    from casebook.runtime.matching.engines import load_engine

    module, reason = load_engine()
    if asked != "auto":
        why = f"--engine {asked}"
    elif module is not None:
        why = "durable_rules can be imported"
    else:
        why = f"durable_rules cannot be imported: {reason}"
    return {"name": name, "because": why}


def _casebook(root: Root, clock: Clock) -> Figures:
    """Give the figures of one folder."""
    snapshot = folder_store(root, clock).snapshot()
    target = Target(root, None)
    files = list(target.files())
    statuses = Counter(each.case.status for each in snapshot.cases.values())
    cache = root.path / ".casebook" / "compiled.cache"
    standing, waiting = trust_told(root, snapshot, clock)
    return {
        "folder": str(root.path.resolve()),
        "layer": root.layer or None,
        "policy": "its own" if (root.path / POLICY_NAME).is_file() else "the defaults: it has no memory-policy.yaml",
        "files": len(files),
        "bytes": sum(_size(path) for path in files),
        "cases": len(snapshot.cases),
        "statuses": dict(sorted(statuses.items())),
        "errors": sum(fault.severity == "error" for fault in snapshot.faults),
        "warnings": sum(fault.severity == "warning" for fault in snapshot.faults),
        **_memories(root, snapshot.policy),
        "cache_bytes": _size(cache),
        "journal_bytes": _size(root.path / ".casebook" / "journal.db"),
        "writable": os.access(root.path, os.W_OK | os.X_OK),
        "trust": standing,
        "troubles": [*_troubles(root, files), *waiting],
    }


def _memories(root: Root, policy: Policy) -> Figures:
    """Give how many memories stand in each tier, and what is wrong in their files."""
    from casebook.stores.memory_folder import FolderMemories

    kept = FolderMemories(root.path, layer=root.layer, zone=policy.timezone).snapshot()
    tiers = Counter(each.memory.tier for each in kept.memories.values())
    return {"memories": dict(sorted(tiers.items())), "memory_faults": len(kept.faults)}


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _troubles(root: Root, files: list[Path]) -> Iterator[str]:
    """Give what about the folder and its files deserves a look: who else may read or write them."""
    if not os.access(root.path, os.W_OK | os.X_OK):
        yield f"{root.shown} cannot be written by you"
    kept = root.path / ".casebook"
    if _size(kept / "journal.pending.jsonl"):
        yield f"{kept / 'journal.pending.jsonl'} holds what the journal could not take; the next outcome brings it in"
    for aside in sorted(kept.glob("journal.db.corrupt-*")) if kept.is_dir() else ():
        yield f"{aside} is a damaged journal that was set aside; what could be read of it is in the new one"
    for path in [root.path, *files]:
        try:
            mode = path.stat().st_mode
        except OSError as error:
            yield f"{path}: {error.strerror}"
            continue
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            yield f"{path} can be written by anybody (chmod o-w)"


def _policy(policy: Policy, clock: Clock) -> Figures:
    """Give what of the policy decides most."""
    now = clock().astimezone(ZoneInfo(policy.timezone))
    return {
        "format": policy.format, "timezone": policy.timezone, "now": now.isoformat(timespec="seconds"),
        "language": policy.language, "mode": policy.mode, "on_failure": policy.on_failure,
        "intents": len(policy.intents), "intents_shipped": policy.intents_shipped, "tools": len(policy.tools),
    }  # fmt: skip


def _limits(policy: Policy) -> Figures:
    """Give the policy's limits and those that are fixed."""
    from casebook import limits

    return {
        **policy.limits.model_dump(),
        "file_bytes": limits.FILE_BYTES, "case_bytes": limits.CASE_BYTES, "task_bytes": limits.TASK_BYTES,
        "correction_chars": limits.CORRECTION_CHARS,
    }  # fmt: skip


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    """Give the report for people: a heading each, names and values below."""
    for heading, part in report.items():
        for figures in part if isinstance(part, list) else [part]:
            if not figures:
                continue
            yield heading if heading != "casebooks" else "casebook"
            margin = max(map(len, figures))
            for name, value in figures.items():
                shown = _shown(value)
                if shown:
                    yield f"  {name:<{margin}}  {shown}"


def _shown(value: Any) -> str:
    """Give a value for people; nothing for what says nothing."""
    if value is None or value in ({}, []):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_shown(each)}" for name, each in value.items())
    if isinstance(value, list):
        return f"{len(value)}, told below" if sys.stdout is not None and sys.stdout.isatty() else str(len(value))
    return str(value)
