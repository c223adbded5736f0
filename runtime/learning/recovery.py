"""What worked after an error: in the same session the same tool then succeeded, with other arguments (DESIGN section 6)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.backtest import Calls, words_of
from casebook.runtime.learning.identifying import (
    Private,
    arguments_of,
    is_choice,
    is_tellable_name,
    is_word,
    private_words,
)
from casebook.runtime.learning.other_program import Instead, is_same_line, program_instead
from casebook.runtime.learning.sharing import COMMANDS, long_flags

LATER_CALLS: Final = 10
"""Calls of the session after an error among which a success counts as its recovery."""
MOST_TOLD: Final = 5
"""Names of arguments that are told."""

_SHELL: Final = "shell"
_SHORT: Final = re.compile("-[A-Za-z]")
Told = str | bool


@dataclass(frozen=True, slots=True)
class Recovery:
    """A call that succeeded after one that had failed.

    Attributes:
        occurrence, call: ids of the two events.
        user, session: whose.
        names: the arguments that changed, were added or left out, by name (`body.format` within one); only names that may be told.
            Of a shell call the flags of its command instead; none where another program did it.
        values: what the changed ones became where that is a truth or a word: not to be told but by `shared_values`.
        instead: of a shell call that differs in its program alone the two programs: not to be told but by `told_instead`.
    """

    occurrence: str
    call: str
    user: str | None
    session: str | None
    names: tuple[str, ...]
    values: Mapping[str, Told] = field(default_factory=dict)
    instead: Instead | None = None

    @property
    def told(self) -> tuple[str, ...]:
        """Give what a person is told of it, in words: the names, or the program that worked."""
        return self.names if self.instead is None else (self.instead.worked,)


def recovery_of(occurrence: EventRecord, later: Sequence[EventRecord]) -> Recovery | None:
    """Give the recovery from an error, or None.

    It is the first later call of the same tool that succeeded, among the next `LATER_CALLS` calls and before another turn; a
    shell call must run one of the same actions, or be the very same command line but for its program (`program_instead`), where
    the line that failed did not work in the end, unchanged. Something must have changed, and of several arguments something must have stayed, else it is another call altogether.

    Args:
        occurrence: the call that failed.
        later: the events after it in its session, in order.
    """
    if not occurrence.tool or occurrence.session is None:
        return None
    calls = 0
    for event in later:
        if event.kind in ("task", "ended") or (event.turn and occurrence.turn and event.turn != occurrence.turn):
            return None
        if event.kind != "tool":
            continue
        calls += 1
        if calls > LATER_CALLS:
            return None
        if event.tool != occurrence.tool or event.ok is not True:
            continue
        instead = program_instead(occurrence, event) if event.tool == _SHELL else None
        if instead is not None:
            if _worked_after_all(occurrence, later):
                continue
            whose = occurrence.principal.user
            return Recovery(occurrence.id, event.id, whose, occurrence.session, (), instead=instead)
        if _same_action(occurrence, event):
            return _compared(occurrence, event)
    return None


def _worked_after_all(failed: EventRecord, later: Sequence[EventRecord]) -> bool:
    """Say whether the very same command line succeeded later in the session: then it was not the program."""
    return any(each.tool == _SHELL and each.ok is True and is_same_line(failed, each) for each in later)


def recoveries_of(occurrences: Iterable[EventRecord], calls: Calls) -> tuple[Recovery, ...]:
    """Give the recoveries from some errors; errors in a row that one call ended have one, from the first of them."""
    found: dict[str, Recovery] = {}
    for occurrence in occurrences:
        recovery = recovery_of(occurrence, calls.later(occurrence))
        if recovery is not None:
            found.setdefault(recovery.call, recovery)
    return tuple(found.values())


def _same_action(failed: EventRecord, other: EventRecord) -> bool:
    if failed.tool != _SHELL:
        return True
    return bool(set(words_of(failed.body, "action")) & set(words_of(other.body, "action")))


def _compared(failed: EventRecord, succeeded: EventRecord) -> Recovery | None:
    before, after = arguments_of(failed), arguments_of(succeeded)
    if failed.tool == _SHELL:
        told = _changed_flags(before, after)
    else:
        before, after = _opened(before, after), _opened(after, before)
        names = sorted({*before, *after})
        changed = [name for name in names if before.get(name) != after.get(name)]
        if len(changed) == len(names):
            return None
        told = tuple(name for name in changed if all(map(is_tellable_name, name.split("."))))
    if not told:
        return None
    private = private_words((failed, succeeded))
    values = {name: value for name in told if (value := _told_value(name, after.get(name), private)) is not None}
    return Recovery(failed.id, succeeded.id, failed.principal.user, failed.session, told, values)


def _opened(args: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Give arguments by name, and of one that is a mapping in two calls its own ones, as `body.format`."""
    found: dict[str, Any] = {}
    for name, value in args.items():
        if isinstance(value, Mapping) and isinstance(other.get(name), Mapping):
            found.update((f"{name}.{inner}", each) for inner, each in value.items())
        else:
            found[name] = value
    return found


def _changed_flags(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, ...]:
    """Give the flags that only one of two shell commands has: the names of a command's own arguments."""
    name = next((each for each in COMMANDS if each in before and each in after), None)
    if name is None:
        return ()
    one, other = (
        {*long_flags(args[name]), *_short_flags(args[name])} if isinstance(args[name], str | list) else set()
        for args in (before, after)
    )
    return tuple(sorted(one ^ other))


def _short_flags(command: str | list[Any]) -> Iterator[str]:
    """Give the flags of a single letter; what a letter is followed by may be its value."""
    words = command.split() if isinstance(command, str) else command
    yield from (word for word in words if isinstance(word, str) and _SHORT.fullmatch(word))


def _told_value(name: str, value: Any, private: Private) -> Told | None:
    """Give a value that is a truth, or a word of an argument that may be a choice; else None."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and is_choice((name,)) and is_word(value) and not private.has(value):
        return value
    return None


def told_names(recoveries: Sequence[Recovery], users: int | None) -> tuple[str, ...]:
    """Give the names that may be told of some recoveries: those that changed in more than half of them, else the most frequent.

    Args:
        recoveries: of one signature.
        users: where the case is for everyone: only what changed in recoveries of at least so many different users counts.
    """
    if users is not None:
        by = {
            name: {each.user for each in recoveries if each.user and name in each.names} for name in _names(recoveries)
        }
        return tuple(name for name, whose in by.items() if len(whose) >= users)[:MOST_TOLD]
    counted = Counter(name for each in recoveries for name in each.names)
    most = max(counted.values(), default=0)
    least = len(recoveries) // 2 + 1 if 2 * most > len(recoveries) else most
    return tuple(name for name in _names(recoveries) if counted[name] >= least)[:MOST_TOLD]


def shared_values(recoveries: Sequence[Recovery], users: int) -> Mapping[str, Told]:
    """Give the values that the recoveries of at least so many different users share, and no recovery of theirs contradicts."""
    found: dict[str, Told] = {}
    for name in _names(recoveries):
        changed = [each for each in recoveries if name in each.names]
        values = [each.values.get(name) for each in changed]
        first = values[0]
        whose = {each.user for each in changed if each.user}
        if (
            first is not None
            and all(type(each) is type(first) and each == first for each in values)
            and len(whose) >= users
        ):
            found[name] = first
    return found


def _names(recoveries: Sequence[Recovery]) -> list[str]:
    return sorted({name for each in recoveries for name in each.names})
