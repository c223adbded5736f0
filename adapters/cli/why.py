"""`casebook why`: how a case or a memory came to be; or what an activation said and why, replayed as it was then."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from typing import TYPE_CHECKING

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError, as_argument
from casebook.adapters.cli.desk import desk, further
from casebook.adapters.cli.newest import limit_of
from casebook.faults import NotFoundError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from casebook.runtime.review.review import Review

EPILOG = """\
Of a case: the errors that it was learnt from, its backtest, why its conditions are what they are, who judged it, its texts,
and how often it spoke. Of an activation: what was asked, what became of each case that matched, and whether the texts of
then, over the facts that were kept, come out the same; the memories that it told; what answered it.
Of a memory: the rules that decided where it stands, what happened to it, and when it was told.
Without an id: the newest answers in which something was told, with their ids; of a session (`--session`) all of them.

examples:
  casebook why
  casebook why --session s9
  casebook why err-0a1b2c3d4e5f
  casebook why 0198d0a2-7c55-7b1e-a1b2-c3d4e5f60718 --today"""

LINES = 20
"""Answers that are told without `--limit`."""


def arguments(parser: Parser) -> None:
    """Add the id."""
    parser.add_argument(
        "id", metavar="ID", nargs="?", help="a case, a memory, or an activation; none lists the newest answers"
    )
    parser.add_argument("--session", metavar="ID", help="without an id: the answers of this session")
    parser.add_argument("--limit", metavar="N", type=int, help=f"without an id: the newest so many ({LINES})")
    parser.add_argument(
        "--today", action="store_true", help="of an activation: ask the texts that serve now instead of those of then"
    )
    parser.add_argument("--language", choices=("en", "zh"), help="of what conditions saw (the policy's)")


def run(options: Namespace) -> int:
    """Tell why."""
    if options.id is None:
        return _answers(options)
    if options.session is not None or options.limit is not None:
        given = "--session" if options.session is not None else "--limit"
        raise UsageError(f"why {options.id}: {given} is for the list of answers, without an id")
    with desk(options) as review, further(options) as others:
        activation = review.case(options.id) is None and review.journal.activation(options.id) is not None
        if activation:
            return _activation(options, review, [each for _, each in others])
        if options.today:
            raise UsageError(f"why {options.id}: --today is about an activation, and there is none of this id")
        is_case = review.case(options.id) is not None or bool(review.journal.versions(options.id))
    if not is_case and (code := _memory(options)) is not None:
        return code
    with desk(options) as review:
        return _case(options, review)


def _answers(options: Namespace) -> int:
    from casebook.adapters.cli.answers import answer_json, answer_line, answers_told

    limit = limit_of(options.limit, LINES, "why")
    if options.today:
        raise UsageError("why: --today is about an activation: expected its id")
    with desk(options) as review:
        found = answers_told(review, session=options.session, limit=limit)
        zone = review.store.snapshot().policy.timezone
    if options.json:
        output.data([answer_json(each) for each in found])
        return 0
    for each in found:
        output.line(answer_line(each, zone))
    if not found:
        output.words(
            f"no answer of session {output.one_line(options.session)} is in the journal"
            if options.session
            else "nothing was told yet"
        )
    elif len(found) == limit:
        output.words(f"the newest {limit}; --limit tells more")
    return 0


def _activation(options: Namespace, review: Review, others: Sequence[Review]) -> int:
    from casebook.adapters.cli.why_activation_texts import told_json, told_lines
    from casebook.runtime.review.why_activation import memories_told, why_activation

    policy = review.store.snapshot().policy
    told = why_activation(review, options.id, today=options.today)
    elsewhere = [memory for each in others for memory in memories_told(each, options.id)]
    told = replace(told, memories=(*told.memories, *elsewhere))
    if options.json:
        output.data(told_json(told, options.language or policy.language))
        return 0
    for line in told_lines(told, options.language or policy.language, policy.timezone):
        output.line(line)
    return 0


def _case(options: Namespace, review: Review) -> int:
    from casebook.adapters.cli.history import of_anything
    from casebook.adapters.cli.why_case_texts import story_json, story_lines
    from casebook.runtime.review.why_case import why_case

    try:
        story = why_case(review, options.id)
    except NotFoundError as error:
        if review.journal.activations(session=options.id, limit=1):
            told = f"{options.id} is a session: `casebook why --session {as_argument(options.id)}` lists its answers"
            raise NotFoundError(told) from None
        raise of_anything(error, "case, memory or activation") from None
    if options.json:
        output.data(story_json(story))
        return 0
    for line in story_lines(story, review.store.snapshot().policy.timezone):
        output.line(line)
    return 0


def _memory(options: Namespace) -> int | None:
    """Tell why a memory stands where it does; None where there is none of this id."""
    from casebook.adapters.cli.memory_desk import memory_desk
    from casebook.adapters.cli.why_memory_texts import memory_json, memory_lines
    from casebook.runtime.review.memories import why_memory

    with memory_desk(options, options.id) as review:
        story = why_memory(review, options.id) if review is not None else None
        if story is None or review is None:
            return None
        zone = review.store.snapshot().policy.timezone
    if options.json:
        output.data(memory_json(story))
        return 0
    for line in memory_lines(story, zone):
        output.line(line)
    return 0
