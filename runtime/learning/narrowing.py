"""A case that would come up too often is narrowed (DESIGN section 6, Promotion).

To errors earlier in the session, an action, a path, and whatever else its occurrences share.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from casebook.conditions.literals import normal
from casebook.conditions.tree import Earlier, Field, Node, Test, This
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.anchors import MOST_NAMES, Anchor
from casebook.runtime.learning.backtest import Backtest, figures_of, words_of
from casebook.runtime.learning.identifying import Private, is_identifying, private_words
from casebook.runtime.learning.sharing import candidates

COVERED: Final = 0.5
"""Share of the occurrences that a condition on the session's past must still cover: the first error of a session cannot be."""
MOST_ADDED: Final = 3
"""Conditions that narrowing adds."""

MOST_FOLDERS: Final = 12
"""Folders of one path that are looked at."""

PATH_TOOLS: Final = frozenset({"read", "edit", "write", "list", "search"})
"""Canonical tools that do one thing to any file."""
LEAST_DEPTH: Final = 2
"""Folders of an absolute path from which on it may tell something: `/srv/` does not (ours)."""

_SUFFIX: Final = re.compile(r"\.[A-Za-z]{1,8}$")
_FOLDER: Final = re.compile(r"[A-Za-z_.-]{1,40}")
_HOMES: Final = frozenset({"home", "users", "tmp", "private", "mnt", "media", "volumes"})


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What narrowing added: conditions, each with the precision before and after it, and how many occurrences are covered."""

    nodes: tuple[Node, ...]
    steps: tuple[tuple[float, float], ...]
    covered: int


def narrowed(
    nodes: Sequence[Node],
    anchor: Anchor,
    occurrences: Sequence[EventRecord],
    tested: Backtest,
    floor: float,
    *,
    least: float = COVERED,
    users: int | None = None,
) -> Narrowed | None:
    """Find conditions to add until at least the share `floor` of the matching calls failed this way; None where none do.

    What covers all occurrences is preferred: errors earlier in the session where they do, then action, path, what else is
    shared. Only then errors earlier in the session that cover at least the share `least` of them, with the rest after it.

    Args:
        nodes: the conditions so far, which hold for the occurrences.
        anchor: of the case.
        occurrences: all of them.
        tested: the backtest.
        floor: `policy.detector.precision`.
        least: see above; 1 for all of them.
        users: for everyone's case, as in `candidates`.
    """
    if not occurrences:
        return None
    succeeded = [each.record for each in tested.trials if each.clean and tested.all_hold(nodes, each.record)]
    history = list(_history(anchor, occurrences))
    rest: list[list[Node]] = [
        list(_actions(anchor, occurrences, users)),
        list(_paths(occurrences)),
        candidates(occurrences, succeeded, users=users),
    ]
    rest = [[node for node in group if all(tested.holds(node, each) for each in occurrences)] for group in rest]
    counts = {node: sum(tested.holds(node, each) for each in occurrences) for node in history}
    whole = [node for node in history if counts[node] == len(occurrences)]
    part = [node for node in history if least * len(occurrences) <= counts[node] < len(occurrences)]
    for groups in ([whole, *rest], *([[node], *rest] for node in part)):
        found = _greedy(nodes, groups, tested, floor)
        if found is not None:
            added, steps = found
            return Narrowed(added, steps, sum(tested.all_hold((*nodes, *added), each) for each in occurrences))
    return None


def _greedy(
    nodes: Sequence[Node], groups: Sequence[Sequence[Node]], tested: Backtest, floor: float
) -> tuple[tuple[Node, ...], tuple[tuple[float, float], ...]] | None:
    """Add from each group in turn what makes the share greatest, as long as it grows, until it is enough."""
    added: list[Node] = []
    steps: list[tuple[float, float]] = []
    matched = tested.matching(nodes)
    now = figures_of(matched).precision
    for group in groups:
        left = list(group)
        while left and now < floor and len(added) < MOST_ADDED:
            ranked = [
                (figures_of(each for each in matched if tested.holds(node, each.record)).precision, node)
                for node in left
            ]
            best, node = max(ranked, key=lambda pair: pair[0])
            if best <= now:
                break
            added.append(node)
            steps.append((now, best))
            left.remove(node)
            matched = tuple(each for each in matched if tested.holds(node, each.record))
            now = best
    return (tuple(added), tuple(steps)) if added and now >= floor else None


def _history(anchor: Anchor, occurrences: Sequence[EventRecord]) -> Iterator[Node]:
    """Give conditions on errors earlier in the session: of this action, program or tool, then any."""
    if all(each.tool for each in occurrences):
        field = Field(("tool" if anchor.tools else "program" if anchor.programs else "action",))
        yield Earlier("error", Test(field, "is", This(field)))
    yield Test(Field(("session", "errors")), "gte", 1)


def _actions(anchor: Anchor, occurrences: Sequence[EventRecord], users: int | None) -> Iterator[Node]:
    """Give the actions and programs that all have, and, of one user's, the different actions that each has of the anchor's programs."""
    for name in ("action", "program"):
        shared = set.intersection(*({normal(word) for word in words_of(each.body, name)} for each in occurrences))
        yield from (Test(Field((name,)), "is", word) for word in sorted(shared) if not is_identifying(word))
    several = [_actions_by(anchor.programs, each) for each in occurrences]
    listed = sorted(set().union(*several))
    if users is None and all(several) and not set.intersection(*several) and len(listed) <= MOST_NAMES:
        yield Test(Field(("action",)), "in", tuple(listed))


def _actions_by(programs: Sequence[str], record: EventRecord) -> set[str]:
    """Give the actions of some programs that a call ran and that may be told."""
    actions = (normal(each) for each in words_of(record.body, "action"))
    return {each for each in actions if each.partition(" ")[0] in programs and not is_identifying(each)}


def _paths(occurrences: Sequence[EventRecord]) -> Iterator[Node]:
    """Give the endings and the folders that a path of each has, the longest folder first."""
    paths = [words_of(each.body, "path") for each in occurrences]
    suffixes = [{found[0].lower() for path in each if (found := _SUFFIX.search(path))} for each in paths]
    yield from (Test(Field(("path",)), "ends_with", each) for each in sorted(set.intersection(*suffixes)))
    private = private_words(occurrences)
    folders = [{folder for path in each for folder in _folders(path, private)} for each in paths]
    shared = sorted(set.intersection(*folders), key=lambda folder: (-len(folder), folder))
    yield from (Test(Field(("path",)), "starts_with", normal(each)) for each in shared)


def shared_path(
    occurrences: Sequence[EventRecord],
    succeeded: Sequence[EventRecord],
    tested: Backtest,
    others: Sequence[EventRecord] = (),
) -> Node | None:
    """Give the ending, else the folder, of the paths of some errors that the fewest successes have; None where all of them do.

    A folder that holds half of the other paths that were seen, or of which no path outside was, may be the project's own, and
    tells nothing; nor does one right below the root of all.

    Args:
        occurrences: of one signature.
        succeeded: calls of the same anchor that succeeded.
        tested: to ask whether a condition holds for a record.
        others: whatever else was called in their sessions, or with the same tool.
    """
    others = [each for each in others if words_of(each.body, "path")]
    shared = [
        node
        for node in _paths(occurrences)
        if all(tested.holds(node, each) for each in occurrences) and _is_telling(node, others, tested)
    ]
    ranked = [(sum(tested.holds(node, each) for each in succeeded), node) for node in shared]
    least, best = min(ranked, key=lambda pair: pair[0], default=(0, None))
    return best if least < len(succeeded) or not succeeded else None


def reaches_any_path(anchor: Anchor, occurrences: Iterable[EventRecord]) -> bool:
    """Say whether an anchor reaches every call of a tool of paths, such as `read`, that some calls named paths to."""
    return not PATH_TOOLS.isdisjoint(anchor.tools) and all(words_of(each.body, "path") for each in occurrences)


def _is_telling(node: Node, others: Sequence[EventRecord], tested: Backtest) -> bool:
    """Say whether an ending or a folder tells something: a folder does where most of the other paths seen lie outside it."""
    if not isinstance(node, Test) or node.op != "starts_with":
        return True
    folder = str(node.value)
    if folder.startswith("/") and folder.count("/") < LEAST_DEPTH + 1:
        return False
    inside = sum(tested.holds(node, each) for each in others)
    return 2 * inside < len(others)


def _folders(path: str, private: Private) -> Iterator[str]:
    """Give the folders above a path, each with its slash, down to the first whose name may be somebody's."""
    whole = ""
    for place, name in enumerate(path.split("/", MOST_FOLDERS)[:-1]):
        if not name and place == 0:
            whole = "/"
            continue
        if not _FOLDER.fullmatch(name) or name in ("..", "~") or private.has(name) or name.lower() in _HOMES:
            return
        whole += f"{name}/"
        yield whole
