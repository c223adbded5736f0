"""A new casebook's folder: its policy, an example case, and what git shall not see."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

from casebook.clock import Clock
from casebook.faults import StoreError
from casebook.instants import is_zone
from casebook.limits import POLICY_BYTES
from casebook.policy_file import read_policy
from casebook.stores.atomic import replace_file
from casebook.stores.confined import own_folder
from casebook.stores.loading import POLICY_NAME
from casebook.stores.reading import read_bytes
from casebook.stores.splitting import SplitError
from casebook.stores.watching import Watch

_POLICY = """\
# The policy of this casebook. What is left out has its default; `casebook check` tells of mistakes.
format: 1

# The zone of every time that names none: conditions, created_at, schedules.
timezone: {zone}

# The language of the text that an agent is given: en or zh.
language: en

# off: nothing · shadow: matched and journaled only · advise: nothing blocks · enforce: as the cases say.
mode: enforce

# limits:
#   max_cases: 5          # cases in one answer
#   max_cases_tool: 3     # the same at the tool point
#   max_chars: 1500       # characters of their text

# When a repeated error becomes a case.
# detector:
#   enabled: true         # false: errors are counted, and make none
#   threshold: 3          # times that it has to occur
#   distinct: call        # counted once a call, a task or a session
#   tombstone: 90d        # for so long a rejected error makes no new case

# What is no error, beside failing tests, linters and the like: patterns (RE2) over "type: message". "not NAME" switches a
# shipped one off.
# ignore_errors: ["^HTTP 404", not linter]

# What is never kept, beside keys, tokens and passwords: patterns (RE2).
# redact: ["CUST-[0-9]{{6}}"]

# What the journal keeps of the words of tasks and errors.
# journal:
#   text_days: 90         # days
#   text_chars: 200       # characters of a text

# The share of sessions that get no advice, by which `casebook stats` tells whether it helps.
# holdout: 0.1

# A host's name of a tool, and the common one that conditions read.
# tools:
#   MyBash: shell

# Intents beside the shipped ones: one of the words or patterns (RE2), and none of the exclusions. Give each a name of its
# own: one with a shipped name, such as deploy, takes the place of the whole shipped one, its words in other languages too.
# intents:
#   restock:
#     words: [restock, reorder stock, 进货, 补货]
#     exclude: [restock report]
"""

_CASE = """\
[
  {{
    "$comment": "An example. Change it, or archive it: casebook archive example_force_push",
    "id": "example_force_push",
    "type": "rule",
    "situation": "About to force-push to a branch that others share",
    "trigger_conditions": ["action is \\"git push\\"", {pattern}],
    "judgment": "A force-push rewrites what others have already fetched",
    "consequence": "Commits of colleagues disappear from the shared branch",
    "correction": "Fetch first, and push with --force-with-lease, which refuses where somebody else has pushed",
    "priority": 7,
    "created_at": "{today}",
    "examples": {{
      "fires": [{{"tool": "shell", "args": {{"command": "git push --force origin main"}}}}],
      "silent": [
        {{"tool": "shell", "args": {{"command": "git push origin main"}}}},
        {{"tool": "shell", "args": {{"command": "git push --force-with-lease"}}}},
        {{"tool": "shell", "args": {{"command": "rm -f x && git push"}}}}
      ]
    }}
  }}
]
"""

_FORCED = r"args.command matches /\bpush\b[^;&|\n]*\s(--force|-[a-zA-Z]*f[a-zA-Z]*)([\s;&|)>]|$)/"
"""Over the push itself: neither another command's `-f` nor `--force-with-lease` is meant."""

_FOLDERS = ("short_term", "medium_term", "long_term", "archive", ".casebook")
WHOLE = frozenset({POLICY_NAME, *(f"{name}/" for name in _FOLDERS)})
"""What `init` has made where nothing of a casebook stood before."""


def init(root: Path, *, clock: Clock, zone: str | None = None) -> tuple[str, ...]:
    """Make a casebook's folder. What is there already is left as it is.

    Args:
        root: the folder; those around it are made as well.
        clock: dates the example case, with the day that it is in the casebook's zone.
        zone: the IANA zone for the policy; default the machine's, else UTC.

    Returns:
        The paths that were made, relative to the folder.

    Raises:
        StoreError: the folder cannot be written, or a link stands in the place of one that is written to.
    """
    chosen = zone or machine_zone() or "UTC"
    today = clock().astimezone(ZoneInfo(_zone_of(root) or chosen)).date().isoformat()
    files = {
        POLICY_NAME: _POLICY.format(zone=chosen),
        "short_term/.gitignore": "*\n!.gitignore\n",
        ".casebook/.gitignore": "*\n",
    }
    if not Watch(root, POLICY_NAME).scan()[0]:
        files["long_term/rules.json"] = _CASE.format(today=today, pattern=json.dumps(_FORCED))
    made = []
    try:
        root.mkdir(parents=True, exist_ok=True)
        for name in _FOLDERS:
            if not (root / name).is_dir():
                own_folder(root, name, create=True, mode=0o700 if name.startswith(".") else 0o777)
                made.append(f"{name}/")
        for name, content in files.items():
            if not os.path.lexists(root / name):
                if "/" in name:
                    own_folder(root, name.partition("/")[0])
                replace_file(root / name, content.encode())
                made.append(name)
    except OSError as error:
        raise StoreError(f"{root} cannot be made a casebook: {error.strerror}") from error
    return tuple(made)


def _zone_of(root: Path) -> str | None:
    """Give the zone of a policy that is there already; None where there is none that can be read."""
    try:
        data, _ = read_bytes(str(root / POLICY_NAME), POLICY_BYTES, "policy")
    except (OSError, SplitError):
        return None
    policy, _ = read_policy(data, POLICY_NAME)
    return policy.timezone if policy is not None else None


def machine_zone() -> str | None:
    """Give the IANA time zone of this machine, from $TZ, /etc/localtime or /etc/timezone; None where none tells."""
    return next((name for name in _told_zones() if is_zone(name)), None)


def _told_zones() -> Iterator[str]:
    """Give what may name the zone, the most particular first."""
    yield os.environ.get("TZ", "").lstrip(":")
    yield os.path.realpath("/etc/localtime").rpartition("zoneinfo/")[2]
    try:
        yield Path("/etc/timezone").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return
