"""`remember`, `recall`, sessions that begin and end, and upkeep over a month: what was said in a sentence, and what becomes of it.

The clock is moved by hand. Nothing here needs a model or a network.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from casebook import Task
from casebook.runtime import Runtime
from casebook.runtime.upkeep.digest import digest


@dataclass
class Hands:
    """A clock that is moved by hand."""

    now: datetime = datetime(2026, 3, 18, 10, tzinfo=UTC)

    def __call__(self) -> datetime:
        """Give the instant."""
        return self.now


def remember(runtime: Runtime, words: str, **named: str) -> None:
    """Offer words to the write gate, and print what became of each piece."""
    for kept in runtime.remember(words, user="ann", project="shop", **named):
        memory = kept.memory
        if memory is None:
            print(f"  {kept.did} ({kept.weighed.dropped}): {kept.weighed.text}")
            continue
        until = f", until {memory.expires_at}" if memory.expires_at else ""
        print(f"  {kept.did}: {memory.text} [{memory.kind}, {memory.tier}{until}]")


def main() -> None:
    """Live a month with a casebook."""
    hands = Hands()
    with tempfile.TemporaryDirectory() as folder, Runtime.open(Path(folder), clock=hands) as runtime:
        print("Wednesday, in a session:")
        remember(runtime, "Hello!", session="s1")
        remember(runtime, "我是 Java 后端，之前做流批一体，最近在学 RAG，这周五交周报", session="s1")
        remember(runtime, "I prefer tabs over spaces", session="s1")
        remember(runtime, "In this project we always deploy through staging", session="s1")

        print("asked before a turn:")
        activation = runtime.before_task(Task(text="deploy through staging", user="ann", project="shop", session="s1"))
        print(f"  {[each.text for each in activation.related]}")
        print(
            f"  by bob elsewhere: {[each.text for each in runtime.recall('tabs or spaces', user='bob', project='till')]}"
        )

        ended = runtime.session_end("s1", user="ann")
        print(f"the session ends; it leaves {len(ended.remembered)} memories, to confirm")

        hands.now += timedelta(days=1)
        print("the next session begins with:")
        for each in runtime.session_start(Task(user="ann", project="shop", session="s2")).related:
            print(f"  {each.text}")

        print("said the other way round, it waits for a person:")
        remember(runtime, "I prefer spaces over tabs", session="s2")

        for days in (3, 30):
            hands.now += timedelta(days=days)
            print(f"upkeep on {hands.now:%d %B}:")
            for report in runtime.maintain(["expire", "age", "promote"]):
                for move in report.done:
                    after = move.after.tier if move.after is not None else "the archive"
                    if move.before is not None:
                        print(f"  {move.before.text}: {move.before.tier} to {after} ({move.rule}: {move.why})")

        print(f"to confirm or undo: {len(digest(runtime.journal).moves)} moves")


if __name__ == "__main__":
    main()
