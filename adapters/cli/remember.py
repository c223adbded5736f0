"""`casebook remember`: what may be worth remembering, through the write gate: words or JSON in, what became of it out."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError, as_argument
from casebook.adapters.cli.letting_go_texts import meant_lines
from casebook.adapters.cli.memory_desk import tell_unserved
from casebook.adapters.cli.place import opened
from casebook.adapters.cli.principal import principal_arguments, principal_of
from casebook.adapters.cli.source import STDIN, decoded, looks_like_json, read_json, read_source, shown_name
from casebook.faults import CasebookError
from casebook.limits import TASK_BYTES

if TYPE_CHECKING:
    from casebook.gate.candidate import Candidate
    from casebook.memory import Memory
    from casebook.policy import Policy
    from casebook.runtime.memory.kept import Kept

EPILOG = """\
What is said goes through a gate (docs/memory-rules.md): chatter and questions are dropped, the rest is told apart into kinds, given a
tier (L1 a session, L2 while it is used, L3 lasting) and held against what is known. Nothing is dropped without saying by which rule.

examples:
  casebook remember "Always write reports in British English" --user ann
  casebook remember 以后报告都用简体中文 --user 李雷
  echo '{"text": "We chose Postgres over MySQL because of JSONB", "kind": "decision"}' | casebook remember - --project shop
  casebook remember "I use pnpm now" --corrects m-0a1b2c3d4e5f --user ann

Of a list, what is no candidate is told with its place, and the rest is remembered (exit code 1); nothing is where none is one (2)."""

_WHY_CHARS = 200
"""Characters of what stood there that are told where it is corrected."""
_FIELDS = ("by", "kind", "corrects", "ttl", "expires_at", "reason", "id")


def arguments(parser: Parser) -> None:
    """Add the words, and what may be said of them."""
    from casebook.kinds import KINDS

    parser.add_argument(
        "text", metavar="TEXT", nargs="*", help="the words; - reads words or JSON (one candidate, or a list) from stdin"
    )
    parser.add_argument("--candidate", metavar="FILE", help="a candidate, or a list of them, as JSON")
    group = parser.add_argument_group("what is known of it")
    group.add_argument("--by", choices=("user", "model", "tool", "agent"), help="whose words they are (user)")
    group.add_argument(
        "--kind", choices=KINDS, metavar="KIND", help=f"what it is: {', '.join(KINDS)}; else told by the words"
    )
    group.add_argument("--pin", action="store_true", help="it is to stay (R4)")
    group.add_argument("--corrects", metavar="ID", help="the memory that the user corrects with it (P3)")
    group.add_argument("--ttl", metavar="LENGTH", help="how long it stays in L2 without use, such as 30d")
    group.add_argument("--expires-at", metavar="ISO", help="from when on it is silent")
    group.add_argument("--reason", metavar="TEXT", help="of a decision: why")
    group.add_argument("--id", metavar="ID", help="the id to be; else it is made from the words")
    principal_arguments(parser)


def run(options: Namespace) -> int:
    """Remember, and tell what became of each piece; done also where all of it was dropped, 1 where some could not be taken."""
    candidates, refused = _candidates(options)
    kept: list[Kept] = []
    with opened(options) as runtime:
        policy = runtime.policy()
        for place, candidate in candidates:
            try:
                kept += runtime.remember(candidate)
            except CasebookError as error:
                if len(candidates) == 1 and not refused:
                    raise
                refused.append(f"{place}{error}")
        unserved = runtime.memory_faults(user=options.user, session=options.session)
        wrong = [fault for fault in runtime.store.snapshot().faults if fault.path.endswith("memory-policy.yaml")]
    output.several((f"does not serve: {fault}" for fault in wrong), "`casebook check` tells all")
    tell_unserved(unserved)
    if options.json:
        output.data([each.to_json() for each in kept])
    else:
        for each in kept:
            for line in _lines(each, policy):
                output.line(line)
    output.several(f"warning: {warning}" for each in kept for warning in (*each.weighed.warnings, *each.warnings))
    output.several(f"not remembered: {each}" for each in refused)
    return 1 if refused else 0


def _candidates(options: Namespace) -> tuple[list[tuple[str, Candidate]], list[str]]:
    """Give the candidates, each with how messages name its place, and what is wrong with the rest of a list.

    Raises:
        UsageError: there is none.
    """
    from casebook.gate.candidate import Candidate
    from casebook.memory import UnfitMemoryError

    found: list[tuple[str, Candidate]] = []
    refused: list[str] = []
    for place, form in _forms(options):
        try:
            candidate = Candidate.from_json(form)
            _check_times(candidate)
        except (UnfitMemoryError, ValueError) as error:
            refused.append(f"{place}{error}")
        else:
            found.append((place, candidate))
    if not found:
        raise UsageError("; ".join(refused) or "expected something to remember, got an empty list")
    return found, refused


def _check_times(candidate: Candidate) -> None:
    """Raise ValueError where how long, or until when, it is to be kept is not told."""
    from casebook.duration import duration
    from casebook.instants import instant

    name = "ttl"
    try:
        if candidate.ttl is not None:
            duration(candidate.ttl)
        name = "expires_at"
        if candidate.expires_at is not None:
            instant(candidate.expires_at, "UTC")
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _forms(options: Namespace) -> Iterator[tuple[str, Any]]:
    """Give the candidates as JSON, with how messages name their place; in a list what is none comes as it is."""
    over = {name: given for name in _FIELDS if (given := getattr(options, name)) is not None}
    over |= principal_of(options)
    if options.pin:
        over["pinned"] = True
    words = " ".join(options.text)
    if looks_like_json(words) and _is_json(words):
        raise UsageError(
            "expected words, got JSON itself; `echo '…' | casebook remember -` takes a candidate, or a list of them"
        )
    if words and words != STDIN and over.get("by", "user") == "user":  # who types it in asks that it be remembered
        over["asked"] = True
    if bool(words) == (options.candidate is not None):
        raise UsageError("expected something to remember: words, - for stdin, or --candidate FILE")
    value: Any = words
    source = ""
    if options.candidate is not None or words == STDIN:
        name = options.candidate if options.candidate is not None else STDIN
        value, source = _read(name, as_json=options.candidate is not None), f"{shown_name(name)}: "
    for number, each in enumerate(value if isinstance(value, list) else [value]):
        place = f"{source}[{number}]: " if isinstance(value, list) else source
        form = {"text": each} if isinstance(each, str) else each
        yield place, {**form, **over} if isinstance(form, dict) else form


def _is_json(text: str) -> bool:
    import json

    try:
        return isinstance(json.loads(text), dict | list)
    except ValueError:
        return False


def _read(name: str, *, as_json: bool) -> Any:
    """Give the JSON of a source; of stdin its words, where it does not begin as JSON does."""
    if as_json and name != STDIN:
        return read_json(name, TASK_BYTES, "task")[0]
    text = decoded(read_source(name, TASK_BYTES, "task"), shown_name(name))
    if not as_json and text.lstrip()[:1] not in ("{", "["):
        return text.strip()
    import json

    try:
        return json.loads(text)
    except ValueError as error:
        raise UsageError(f"{shown_name(name)}: expected JSON: {error}") from None


def _instant(text: str, zone: str) -> str:
    from casebook.instants import instant
    from casebook.runtime.answer.seen import instant_words

    return instant_words(instant(text, zone), zone)


def _short_life(memory: Memory, policy: Policy) -> str:
    """Tell what becomes of a memory of L1, as the policy's rule has it of one that is never told."""
    from casebook.instants import instant
    from casebook.memory_facts import facts_of, holds_rule

    told = f", {policy.tiers.short} or until its session ends"
    if memory.created_at is None:
        return told
    try:
        facts = facts_of(memory, instant(memory.created_at, policy.timezone), policy, ended=True)
        goes_on = holds_rule(policy.rules.distil, facts, policy.timezone)
    except ValueError:  # a rule that cannot be asked moves nothing, and `casebook check` tells it
        return told
    return f"{told}, {'then L2' if goes_on else 'longer only where it is told twice by then'}"


def _lines(kept: Kept, policy: Policy) -> Iterator[str]:
    """Tell what became of one piece."""
    from casebook.policy import DEFAULT_TTL

    memory, weighed = kept.memory, kept.weighed
    zone = policy.timezone
    if memory is None:
        yield f"dropped by {weighed.dropped or 'the gate'}: {output.one_line(weighed.text)}"
        if kept.why and not kept.meant:
            yield f"  {output.one_line(kept.why)}"
        yield from meant_lines(kept)
        return
    place = f"  {memory.kind} {memory.tier}"
    if memory.expires_at is not None:
        place += f" until {_instant(memory.expires_at, zone)}"
    elif memory.tier == "L2":
        place += f", {memory.ttl or policy.ttl.get(memory.kind, DEFAULT_TTL[memory.kind])} without use"
    elif memory.tier == "L1":
        place += _short_life(memory, policy)
    owner = ", ".join(f"{key} {name}" for key, name in memory.scope.named.items()) or "everybody"
    yield f"{kept.did} {memory.id}: {output.one_line(memory.text)}"
    yield f"{place}; for {output.one_line(owner)}; {kept.path or 'in the archive'}" + (
        f" ({kept.layer})" if kept.layer else ""
    )
    yield f"  by {', '.join(step.rule for step in weighed.chain)}; `casebook why {as_argument(memory.id)}` tells each"
    if kept.did == "corrected":
        yield f"  {output.clipped(output.one_line(kept.why), _WHY_CHARS)}; `casebook history {as_argument(memory.id)}` has it"
    if kept.did == "archived":
        yield f"  `casebook restore {as_argument(memory.id)}` brings it back"
        yield from meant_lines(kept)
    if kept.did == "proposed":
        same = "it takes the place of what stands there" if kept.other == memory.id else "they are one"
        yield f"  {'' if kept.other == memory.id else f'like {kept.other}: '}`casebook review` asks whether {same}"
    for each in kept.opposes:
        yield f"  it says the opposite of {each}: `casebook review` asks which holds"
