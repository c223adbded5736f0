"""How a memory that waits for a person, and a line of the audit log about one, are put."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import as_argument
from casebook.runtime.answer.seen import instant_words
from casebook.runtime.review.asked import proposed

if TYPE_CHECKING:
    from casebook.memory import Memory
    from casebook.runtime.journal.records import Entry
    from casebook.runtime.review.judging import Judged
    from casebook.runtime.review.queue import Item
    from casebook.runtime.review.review import Review

TEXT_CHARS = 300
"""Characters of a memory's text that the queue shows; `casebook show` has it whole."""

_APPROVE: Mapping[str, str] = {
    "archive": "it goes to the archive",
    "promote": "it goes to L3, confirmed",
    "distil": "it goes to L2, confirmed",
    "merge": "it goes into {into}, which keeps what it says; it itself goes to the archive",
    "correct": "it says what is proposed",
    "hold": "it holds, and {others} goes to the archive",
    "keep": "it stays, confirmed",
}
_REJECT: Mapping[str, str] = {
    "archive": "it stays as it is",
    "promote": "it stays in its tier",
    "distil": "it stays in its tier",
    "merge": "both stay as they are",
    "correct": "it stays as it is",
    "hold": "both stay as they are",
    "keep": "it stays as it is",
}
_JUDGED: Mapping[str, str] = {
    "archive": "archived {id}",
    "promote": "promoted {id} to L3",
    "distil": "promoted {id} to L2",
    "merge": "merged {id} into another",
    "correct": "corrected {id}",
    "hold": "{id} holds; what says the opposite is in the archive",
    "keep": "{id} stays, confirmed",
}


def memory_item_lines(item: Item, review: Review, zone: str) -> Iterator[str]:
    """Give what waits about a memory: why, what it says, what the others say, and what a judgment does."""
    memory = item.placed.memory if item.placed is not None else None
    head = f"{item.subject}  since {instant_words(item.since, zone)}"
    yield head + (f"  {_standing(memory)}" if memory is not None else "  in no tier any more")
    if memory is not None:
        yield f'  "{_text(memory.text)}"'
    yield from asked_lines(item, review)
    if item.answer is not None:
        from casebook.adapters.cli.review_texts import entry_words

        yield f"  {entry_words(item.answer, zone)}"
    yield ""


def asked_lines(item: Item, review: Review) -> Iterator[str]:
    """Give what upkeep asks, with the words of all that it is about, and what approve and reject do."""
    from casebook.adapters.cli.review_texts import why_words

    entry = item.asked
    if entry is None:
        return
    body = entry.body
    if item.is_memory:
        yield f"  {why_words(str(body.get('reason', '')))}"
    if isinstance(body.get("why"), str) and body["why"]:
        yield f"  {output.one_line(body['why'])}"
    if item.is_memory and isinstance(body.get("because"), str) and body["because"]:
        yield f'  said by {output.one_line(entry.actor)}: "{_text(body["because"])}"'
    for name in others_of(item):
        yield f"  {name}: {_other_words(name, review, item)}"
    made = (body.get("proposal") or {}).get("memory")
    if proposed(item) == "correct" and isinstance(made, Mapping):
        yield f'  proposed: "{_text(str(made.get("text", "")))}"'
    if item.answer is not None or not (item.is_memory or proposed(item) == "archive"):
        return
    do, argument = proposed(item), as_argument(item.subject)
    approved = _APPROVE.get(do, _APPROVE["keep"]).format(
        into=(body.get("proposal") or {}).get("into", "the other"), others=" and ".join(others_of(item)) or "nothing"
    )
    ids = (body.get("proposal") or {}).get("ids")
    if do == "archive" and isinstance(ids, list) and len(ids) > 1:
        approved = f"these {len(ids)} go to the archive: {', '.join(map(output.one_line, map(str, ids)))}"
    yield f"  `casebook review approve {argument}`: {approved}"
    yield f"  `casebook review reject {argument}`: {_REJECT.get(do, _REJECT['keep'])}"
    waits = sum(each.id.startswith("ask:") for each in item.queued) - 1
    if item.is_memory and waits:
        yield f"  {output.counted(waits, 'further question')} about it {'waits' if waits == 1 else 'wait'} behind this one"


def others_of(item: Item) -> tuple[str, ...]:
    """Give the ids of the other memories and cases that a question is about."""
    entry = item.asked
    return tuple(str(each) for each in (entry.body.get("others") or ())) if entry is not None else ()


def other_json(name: str, review: Review) -> dict[str, Any]:
    """Give another memory or case of a question for programs."""
    placed, loaded = review.memory(name), review.case(name)
    if placed is not None:
        memory = placed.memory
        return {"id": name, "kind": memory.kind, "tier": memory.tier, "text": memory.text}
    return {"id": name, "kind": "case", "tier": None, "text": loaded.case.correction if loaded is not None else None}


def judged_words(done: Judged, number: str) -> str:
    """Say what was judged about a memory."""
    entry = done.entry
    if entry.action == "reject":
        return f"refused what was proposed for {entry.subject}; it stays as it is {number}"
    told = _JUDGED.get(str(entry.body.get("did")), _JUDGED["keep"]).format(id=entry.subject)
    return f"{told} {number}"


def memory_entry_words(entry: Entry) -> str:
    """Give what a line of the audit log did to a memory, in words; "" where it is about something else."""
    body = entry.body
    if entry.action == "move":
        return (
            f"{_way(body)}: {output.one_line(str(body.get('rule', '')))}, {output.one_line(str(body.get('why', '')))}"
        )
    if entry.action == "remember":
        return f"{output.one_line(str(body.get('did', '')))}: {_way(body)}"
    if entry.action == "undo" and body.get("undone") == "move":
        return f"(#{body.get('number', '?')} move): {_way(body)}"
    if entry.action == "confirm" and "kind" in body:
        return f"(#{body.get('number', '?')} {output.one_line(str(body['kind']))})"
    if entry.action == "queue" and entry.id.startswith("ask:"):
        return f"({output.one_line(str(body.get('reason', '')))}) {output.one_line(str(body.get('why', '')))}".rstrip()
    return ""


def _way(body: Mapping[str, Any]) -> str:
    """Give from where to where something went: `L2 → L1`; of what stays in its tier the tier."""
    before, after = (each if isinstance(each := body.get(name), Mapping) else None for name in ("before", "after"))
    if before is None and after is None:
        return output.one_line(str(body.get("kind", "")).replace("_", " "))
    start = str(before.get("tier", "")) if before is not None else "new"
    end = str(after.get("tier", "")) if after is not None else "archive"
    if body.get("undone") == "move" and before is None:
        start = "archive"
    return start if start == end else f"{start} → {end}"


def _standing(memory: Memory) -> str:
    whose = _whose(memory)
    status = "" if memory.status == "active" else f", {memory.status}"
    return f"{memory.kind}, {memory.tier}{status}" + (f", for {whose}" if whose else "")


def _whose(memory: Memory) -> str:
    return output.one_line(" ".join(f"{key}={name}" for key, name in memory.scope.named.items()))


def _other_words(name: str, review: Review, item: Item) -> str:
    """Give what another of a question says, and whose it is where that is another's than what is asked about."""
    told = other_json(name, review)
    if told["text"] is None:
        return "it is here no more"
    kind = told["kind"] + (f", {told['tier']}" if told["tier"] else "")
    other = review.memory(name)
    if other is not None and item.placed is not None and other.memory.scope != item.placed.memory.scope:
        kind += f", for {_whose(other.memory) or 'everyone'}"
    return f'"{_text(told["text"])}" ({kind})'


def _text(text: str) -> str:
    return output.clipped(output.one_line(text), TEXT_CHARS)
