"""What a sentence is about, as its parts say it: the clause to read, the flags it says are missing, the times, and what is left over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from casebook.conditions.tree import Node
from casebook.runtime.facts.programs import WRAPPERS
from casebook.runtime.teaching.flags_said import required_in, without_in
from casebook.runtime.teaching.said_times import times_in
from casebook.runtime.teaching.sentence import Part, limits, parts_of, tail_of

_STARTERS: Final = "|".join(sorted((each for each in WRAPPERS if each.isalpha()), key=len, reverse=True))
_STARTED: Final = (
    re.compile(rf"^`?(?P<by>{_STARTERS})`?\s+(?:with|for|on|to\s+(?:run|start|call|execute))\s+(?P<what>\S.*)$"),
    re.compile(rf"^(?P<what>\S.*?)\s+(?:with|using|through|via|under)\s+`?(?P<by>{_STARTERS})`?$"),
    re.compile(
        rf"^`?(?P<by>{_STARTERS})`?\s*(?:命令)?\s*(?:来|去)?(?:跑|执行|运行|启动|调用)\s*(?P<what>\S.*)$", re.ASCII
    ),
)
_FLAGS_ONLY: Final = re.compile(
    r"^(?:(?:--?[A-Za-z][\w-]*(?:=\S+)?|`--?[A-Za-z][\w-]*`|the|a|any|or|and|flag|option|with|参数|选项|执行|运行|使用|跑|用|或|和)\s*)+$"
)
_HEADING: Final = re.compile(r"^(?:for|with|in|on|when|while|对于?|在|执行|运行|跑|用)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Subject:
    """What a sentence may be about.

    Attributes:
        part: the part that says it.
        text: the clause that names it.
        lacks: flags that it says are missing.
        times: conditions on when.
        left: what limits it besides.
        excepted: what it takes out.
        topics: other pieces that may name the command of its flags.
        prefix: what stands before the forbidding word.
        topic: the one of the topics that is taken into the clause.
    """

    part: Part
    text: str
    lacks: tuple[str, ...] = ()
    times: tuple[Node, ...] = ()
    left: tuple[str, ...] = ()
    excepted: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    prefix: str = ""
    topic: str = ""

    @property
    def forbids(self) -> bool:
        """Say whether it is what is forbidden, for good."""
        return self.part.kind == "forbidden" and self.part.never

    @property
    def flags_only(self) -> bool:
        """Say whether its clause has nothing but flags, and something else names their command."""
        return _FLAGS_ONLY.match(self.text) is not None or (not self.text.strip() and bool(self.lacks))


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sentence as it is read.

    Attributes:
        text: the person's words.
        rest: the same without the flags that they say are missing, or needed.
        parts: of the rest.
        needs: those flags.
    """

    text: str
    rest: str
    parts: tuple[Part, ...]
    needs: tuple[str, ...] = ()


def spoken(text: str) -> Spoken:
    """Read a sentence; of one that forbids, or puts something against something else, flags belong to these parts."""
    parts = parts_of(text)
    if any(each.kind in ("forbidden", "contrast") for each in parts):
        return Spoken(text, text, parts)
    needs, rest = without_in(text)
    needs, rest = (needs, rest) if needs else required_in(text)
    return Spoken(text, rest, parts_of(rest), needs) if needs else Spoken(text, text, parts)


def subjects_of(parts: Sequence[Part]) -> tuple[Subject, ...]:
    """Give what a sentence may be about, the most telling first: what is forbidden, what it is put against, when it applies."""
    found = [_forbidden(each, parts) for each in parts if each.kind == "forbidden"]
    found += [_plain(each) for each in parts if each.kind == "contrast"]
    found += [_plain(each) for each in parts if each.kind == "when"]
    return tuple(found)


def beside(subject: Subject, parts: Sequence[Part]) -> tuple[str, ...]:
    """Give what the other parts of a sentence say of when it applies, and what is in none of the forms that are understood."""
    told: list[str] = []
    for each in parts:
        if each is subject.part or each.kind in ("reason", "stress"):
            continue
        if subject.part.kind == "forbidden":
            taken = each.kind in ("use", "fine")  # what limits these is told with the exception that they make
            taken = taken or (each.kind == "when" and each.what == subject.topic)
        else:
            taken = each.kind in ("ask", "use", "rest", "fine", "forbidden") and not limits(each.what or each.text)
            taken = taken or (each.kind == "contrast" and subject.part.kind == "when")
            taken = taken and not (each.kind == "forbidden" and _FLAGS_ONLY.match(each.what))  # a flag of some command
        if not taken:
            told.append(each.text)
    return tuple(told)


def topical(subject: Subject) -> tuple[Subject, ...]:
    """Give the readings of flags whose command stands elsewhere: `when you git commit, never use --no-verify`."""
    return tuple(
        replace(
            subject,
            text=f"{_HEADING.sub('', each)} {subject.text}".strip(),
            left=tuple(one for one in subject.left if each not in one),
            prefix="" if each == subject.prefix else subject.prefix,
            topic=each,
        )
        for each in subject.topics
    )


def _plain(part: Part) -> Subject:
    lacks, text = without_in(part.what)
    times, text = times_in(text)
    return Subject(part, _started(text), lacks, times)


def _timed(text: str) -> tuple[tuple[Node, ...], str]:
    """Take the times out of a clause, but for one that is an alternative to another word of it: `to main or on fridays`."""
    times, rest = times_in(text)
    return ((), text) if times and re.search(r"(?:\b(?:or|nor)|或者?)\s*$", rest) else (times, rest)


def _forbidden(part: Part, parts: Sequence[Part]) -> Subject:
    lacks, text = without_in(part.what)
    times, text = _timed(text)
    more_times, prefix = times_in(part.beside)
    left: list[str] = []
    excepted: list[str] = []
    topics = [prefix] if prefix else []
    for each in part.tails:
        flags, rest = without_in(each)
        if flags and not rest.strip():
            lacks += flags
            continue
        tail = tail_of(each)
        if tail.kind == "fine":
            excepted.append(tail.what)
        elif (when := re.match(r"(?:when(?:ever)?|while)\s+(?:(?:you|we|i)\s+)?(.+)", each)) is not None:
            topics.append(when[1])
            left.append(each)
        elif tail.kind not in ("reason", "stress") and not re.match(
            r"(?:instead\s+of|rather\s+than|而不是|而非)\s*\S+(?:\s+\S+){0,2}$", each
        ):
            left.append(each)
    topics += [each.what for each in parts if each.kind == "when" and each.how not in ("before", "after")]
    if prefix and not text and not lacks:
        text, prefix = prefix, ""
    text = _started(text)
    return Subject(part, text, lacks, (*times, *more_times), tuple(left), tuple(excepted), tuple(topics), prefix)


def _started(text: str) -> str:
    for each in _STARTED:
        found = each.match(text.strip())
        if found is not None:
            return f"{found['by']} {found['what']}"
    return text.strip()
