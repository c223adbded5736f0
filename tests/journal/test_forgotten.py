"""What a process keeps in memory of the past, after something of it was forgotten."""

from pathlib import Path

from casebook.clock import fixed_clock
from casebook.outcome import Outcome
from casebook.runtime import Runtime
from casebook.runtime.remembering import Remembering
from casebook.stores.memory_store import Forgetting
from casebook.task import Task
from tests.journal.made import NOW

CASE = '{"id": "c", "trigger_conditions": ["always"], "correction": "ask first", "max_fires": 2, "on": ["task"]}'


def remembering_of(runtime: Runtime) -> Remembering:
    return runtime._past.remembering()


def casebook(root: Path) -> Runtime:
    (root / "long_term").mkdir(parents=True)
    (root / "long_term" / "cases.json").write_text(CASE)
    return Runtime.open(str(root), clock=fixed_clock(NOW))


def forget(runtime: Runtime, user: str) -> None:
    past = remembering_of(runtime)
    past.settle()
    past.journal.forget(Forgetting(user=user))
    past.forgotten()


def test_errors_that_were_forgotten_count_no_more(tmp_path: Path) -> None:
    runtime = casebook(tmp_path / "memory")

    def failed(number: int) -> int:
        task = Task(tool="shell", args={"command": "make it"}, user="ann", session=f"s{number}")
        answer = runtime.before_task(task)
        return runtime.after_task(answer, Outcome.error("E", "no such target: it")).occurrences

    assert [failed(1), failed(2)] == [1, 2]
    forget(runtime, "ann")
    assert failed(3) == 1
    runtime.close()


def test_sessions_budgets_and_recent_answers_are_those_of_the_journal_again(tmp_path: Path) -> None:
    runtime = casebook(tmp_path / "memory")
    task = Task(text="hello", user="ann", session="s")
    first = runtime.before_task(task)
    assert [each.id for each in first.cases] == ["c"]
    runtime.before_task(Task(text="again", user="ann", session="s2"))
    assert runtime.before_task(Task(text="spent", user="ann", session="s3")).cases == ()
    past = remembering_of(runtime)
    live = past.sessions.of("s", "ann")
    forget(runtime, "ann")
    assert past.sessions.of("s", "ann") is not live
    assert past.journal.fired("c").count == 0
    assert [each.id for each in runtime.before_task(Task(text="hello", user="bob", session="s")).cases] == ["c"]
    assert past.asked(first.id)[0].activation is None
    runtime.close()


def test_a_text_of_a_case_that_was_forgotten_is_kept_again_where_it_still_serves(tmp_path: Path) -> None:
    runtime = casebook(tmp_path / "memory")
    runtime.before_task(Task(text="hello", user="ann"))
    past = remembering_of(runtime)
    assert len(past.journal.versions("c")) == 1
    past.settle()
    past.journal.forget(Forgetting(ids=frozenset({"c"})))
    past.forgotten()
    assert past.journal.versions("c") == ()
    runtime.before_task(Task(text="hello", user="bob"))
    assert len(past.journal.versions("c")) == 1
    runtime.close()


def test_what_waits_for_its_file_of_the_session_is_written_before_anything_is_forgotten(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    runtime = casebook(root)
    answer = runtime.before_task(Task(tool="shell", args={"command": "ls"}, user="ann", session="s"))
    runtime.after_task(answer, Outcome.success())
    assert list(root.glob("short_term/*.json")) == []
    remembering_of(runtime).settle()
    assert len(list(root.glob("short_term/*.json"))) == 1
    runtime.close()
