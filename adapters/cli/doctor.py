"""`casebook doctor`: how a casebook stands, and what serves it."""

from __future__ import annotations

import os
import platform
import stat
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from casebook import __version__
from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.findings import Finding, code_of, tell
from casebook.adapters.cli.frameworks_told import (
    frameworks_findings,
    frameworks_json,
    frameworks_lines,
    frameworks_told,
)
from casebook.adapters.cli.hosts_told import hosts_findings, hosts_lines, hosts_told
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
_VERBOSE = ("packages", "limits")
"""What is as it is, and told for people where they ask for it."""
_VARIABLES = ("CASEBOOK_DIR", "CASEBOOK_MODE", "CASEBOOK_TRACEBACK")
Figures = dict[str, Any]


EPILOG = """\
The last line says whether all is well. The code is 1 where something does not work: errors in files, a program, a plugin or a casebook
that is wired and not there any more, no casebook where a host is wired, an adapter that cannot be imported. What deserves a look alone
leaves it 0, or makes it 1 with --strict.

examples:
  casebook doctor
  casebook doctor --strict --json
  casebook doctor --verbose"""


def arguments(parser: Parser) -> None:
    """Add what counts, and how much is told."""
    parser.add_argument("--strict", action="store_true", help="warnings, too, make the code 1")
    parser.add_argument("--verbose", action="store_true", help="tell the limits and the packages as well")


def run(options: Namespace) -> int:
    """Print how things stand; code 1 where something does not work. Without a casebook it tells of the rest."""
    places, missing = _places(options)
    report: Figures = {"release": _release(), "packages": _packages()}
    if places:
        clock = clock_of(options, places)
        report["casebooks"] = [_casebook(each, clock, places) for each in places]
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
    frameworks = frameworks_told()
    report["frameworks"] = frameworks_json(frameworks)
    report["environment"] = {name: os.environ[name] for name in _VARIABLES if os.environ.get(name)}
    findings = [
        *_findings(report),
        *hosts_findings(hosts, options, missing),
        *frameworks_findings(frameworks),
    ]
    if options.json:
        output.data(report | {"findings": [each.to_json() for each in findings], "well": not findings})
    else:
        told = report | {"hosts": hosts_lines(hosts), "frameworks": frameworks_lines(frameworks)}
        for line in _lines(told if options.verbose else {name: told[name] for name in told if name not in _VERBOSE}):
            output.line(output.flat(line))
        output.flush()  # what there is to do stands below
    tell(findings)
    return code_of(findings, strict=options.strict)


def _places(options: Namespace) -> tuple[tuple[Root, ...], str]:
    """Give the casebook's folders; where none was named and none is here, why there are none."""
    try:
        return roots(options), ""
    except UsageError as error:
        if options.dir:
            raise
        return (), str(error)


def _findings(report: Mapping[str, Any]) -> Iterator[Finding]:
    """Give what is to do about the casebooks and the service."""
    for each in report["casebooks"]:
        yield from (Finding("casebook", trouble) for trouble in each["troubles"])
        for kind in ("error", "warning"):
            if count := each[f"{kind}s"]:
                told = f"{each['folder']}: {output.counted(count, kind)}; `casebook check` tells {'it' if count == 1 else 'them'}"
                yield Finding("casebook", told, is_fault=kind == "error")
    if report["service"].get("stale"):
        yield Finding("service", f"the service is of release {report['service']['release']}")


def _release() -> Figures:
    """Give the versions of what serves."""
    return {
        "casebook": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(terse=True),
    }


def _packages() -> Figures:
    """Give the versions of what is needed; None for what is not there."""
    found: Figures = {}
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
        "stale": stale or None,
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


def _casebook(root: Root, clock: Clock, places: Sequence[Root]) -> Figures:
    """Give the figures of one folder, which serves together with others."""
    from casebook.adapters.cli.beside_own import beside_own
    from casebook.stores.memory_folder import FolderMemories

    snapshot = folder_store(root, clock).snapshot()
    memories = FolderMemories(root.path, layer=root.layer, zone=snapshot.policy.timezone)
    kept = beside_own(root, memories, places).snapshot()
    severities = Counter(fault.severity for fault in (*snapshot.faults, *kept.faults))
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
        "errors": severities["error"],
        "warnings": severities["warning"],
        "memories": dict(sorted(Counter(each.memory.tier for each in kept.memories.values()).items())),
        "memory_faults": len(kept.faults),
        "cache_bytes": _size(cache),
        "journal_bytes": _size(root.path / ".casebook" / "journal.db"),
        "writable": os.access(root.path, os.W_OK | os.X_OK),
        "trust": standing,
        "troubles": [*_troubles(root, files), *waiting],
    }


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
