"""The reference of the command line, made of the commands' own help: `python -m casebook.adapters.cli.reference > docs/cli.md`."""

from __future__ import annotations

from collections.abc import Iterator

from casebook.adapters.cli.commands import COMMANDS
from casebook.adapters.cli.front import command_parser, overview

_HEAD = """\
# The command line

Made by `python -m casebook.adapters.cli.reference > docs/cli.md`; a test holds it to the commands' own help.

- Data goes to stdout, words go to stderr. `--json` gives the data as JSON.
- Options that every command takes may stand before or after the command.
- Without `--dir` and `$CASEBOOK_DIR` the casebook is the nearest folder upward with a `memory-policy.yaml` (in itself or in
  its `memory/`), with `~/.casebook` as a layer behind it. With several layers the first wins, and new cases go into the first.
- `--now` without an offset is a wall clock in the zone of the casebook's policy, or in the zone that it names, as `explain`
  writes instants: `--now "2026-03-21 07:00 Asia/Shanghai"`. A task's `at` without an offset is a wall clock in the policy's.
- What follows `--` is no option: `casebook show -- -rf`. What follows an option that takes a value is its value.
- With several layers a place begins with its layer, `[user] long_term/cases.json:4`, where paths alone would not tell.
- Of many words of one kind the first 20 are told, and the rest is counted.
- Nothing that a file holds or is called can steer the terminal or begin a line of its own: control and invisible characters
  are shown as `\\u001b`.
- What is typed is UTF-8; the name of a file or folder may be any bytes.

| code | means |
|---|---|
| 0 | done; for `match` and `explain` whatever the verdict is |
| 1 | it found faults: in a casebook (`check`, `doctor`), in what it was to write (`add`, `edit`), or in a folder that cannot be read or written |
| 2 | wrong usage: a command, an option, a task, an id or a folder that is none, `$CASEBOOK_MODE`; the nearest right name is told |
| 3 | a fault of ours; `--traceback` or `CASEBOOK_TRACEBACK=1` shows the details |
| 130 | interrupted |

`casebook match --json` prints `{"matched": [{"id", "correction", "priority", "effect"}…], "prompt": str, "verdict": "allow" |
"confirm" | "block", "omitted": [id…], "quarantined": [{"where", "message"}…], "engine": "durable_rules" | "reference"}`.
"""


def pages() -> Iterator[str]:
    """Give the parts of the reference: the head, the overview, then a part for each command."""
    yield _HEAD
    yield _part("casebook", overview())
    for name in COMMANDS:
        yield _part(f"casebook {name}", command_parser(name, whole=False).format_help())


def _part(heading: str, text: str) -> str:
    return f"## {heading}\n\n```text\n{text.rstrip()}\n```\n"


def main() -> None:
    """Print the reference."""
    print("\n".join(pages()), end="")


if __name__ == "__main__":
    main()
