"""The tables of docs/learning.md, review.md, replay.md and journal.md name what the code has, with its defaults."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import timedelta
from typing import get_args

import pytest
from pydantic import BaseModel

from casebook.adapters.cli import review, review_texts
from casebook.adapters.cli.review_texts import why_words
from casebook.case import CorrectionBy
from casebook.duration import duration
from casebook.outcome import Outcome, OutcomeKind
from casebook.policy import IGNORED_ERRORS, Detector, JournalPolicy, Limits
from casebook.runtime.journal.schema import MIGRATIONS
from casebook.runtime.learning import effect, signature
from casebook.runtime.learning.recording import MESSAGE_CHARS, SIGNED_CHARS, TEXT_CHARS
from casebook.runtime.replay.reading import FIELDS
from casebook.stores.memories import SESSION_ENTRIES
from tests.docs.reading import ROOT, rows_of

PAGES = {
    name: (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("learning", "review", "replay", "journal")
}
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROSE = " ".join(README.split())


def table(page: str, head: str) -> list[list[str]]:
    """Give the cells of the table whose first cell of the head is that, row by row."""
    return rows_of(PAGES[page], head)


def names(page: str, head: str) -> list[str]:
    """Give the code in the first cells of a table."""
    return [name for row in table(page, head) for name in re.findall(r"`([^`]+)`", row[0])]


@pytest.mark.parametrize(
    ("page", "head", "named"),
    [
        ("learning", "rule", IGNORED_ERRORS),
        ("learning", "`correction_by`", get_args(CorrectionBy)),
        ("replay", "field", FIELDS),
        ("journal", "table", re.findall(r"CREATE TABLE IF NOT EXISTS (\w+)", "\n".join(MIGRATIONS))),
    ],
)
def test_a_table_names_all_that_there_is(page: str, head: str, named: Iterable[str]) -> None:
    assert set(names(page, head)) == set(named) - {"about", "fired"}


@pytest.mark.parametrize(
    ("page", "head", "model"), [("learning", "`detector:`", Detector), ("journal", "`journal:`", JournalPolicy)]
)
def test_a_table_of_the_policy_has_every_key_and_its_default(page: str, head: str, model: type[BaseModel]) -> None:
    told = {row[0].strip("`"): row[1] for row in table(page, head)}
    assert told == {name: shown(field.default) for name, field in model.model_fields.items()}


def shown(default: object) -> str:
    """Give a default as the page writes it."""
    return "none" if default is None else str(default).lower() if isinstance(default, bool) else str(default)


def test_every_kind_of_outcome_is_made_as_the_page_says() -> None:
    made = [getattr(Outcome, name)(*["-"] * len(args.split(", ")) if args else ()).kind for name, args in OUTCOMES]
    assert sorted(made) == sorted(get_args(OutcomeKind))


OUTCOMES = re.findall(r"^\| `Outcome\.(\w+)\(([^)]*)\)`", PAGES["learning"], re.MULTILINE)


def test_every_verdict_is_told() -> None:
    told = names("learning", "verdict") + re.findall(r"no verdict: `([^`]+)`", PAGES["learning"])
    assert set(told) == set(get_args(effect.Verdict))


@pytest.mark.parametrize("reason", names("review", "reason") + names("review", "asked"))
def test_every_reason_in_the_queue_has_words(reason: str) -> None:
    assert why_words(reason) != reason


def test_every_reason_that_has_words_is_told() -> None:
    assert set(names("review", "reason") + names("review", "asked")) == set(review_texts._WHY)


def test_every_word_of_review_is_told() -> None:
    told = set(re.findall(r"`casebook review (\w+)", PAGES["review"])) | {"list"}
    assert told == set(review.ACTIONS)


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("learning", f"{SIGNED_CHARS:,} characters"),
        ("journal", f"an error's message {MESSAGE_CHARS:,} characters"),
        ("journal", f"feedback and corrections {TEXT_CHARS:,}"),
        ("journal", f"the newest {SESSION_ENTRIES} entries"),
        ("learning", f"{Limits().detector_cases} cases and {Limits().new_signatures} new signatures"),
        ("learning", "after 10, 20, 40, 80 …"),
    ],
)
def test_a_bound_is_as_the_page_says(page: str, sentence: str) -> None:
    assert sentence in " ".join(PAGES[page].split())


def test_the_numbers_of_the_readme_are_those_of_the_defaults() -> None:
    assert duration(Detector().tombstone) == timedelta(days=90)
    assert "its error makes no case for 90 days" in PROSE
    assert f"of a text {JournalPolicy().text_chars} characters, of an error's message {MESSAGE_CHARS:,}" in PROSE
    assert f"the newest {SESSION_ENTRIES} entries a session" in PROSE
    assert (effect.MINIMUM, effect.look_of(9), effect.look_of(10), effect.look_of(80)) == (10, 0, 1, 4)
    assert "With fewer than ten outcomes" in PROSE


def test_both_pages_tell_the_same_of_the_airline_record() -> None:
    (needless,) = re.findall(r"needless firings +(\d+ of \d+) clean calls\n\nerrors.*\n8 ", README)
    (preceded,) = re.findall(r"preceded by the right correction +(\d+)\nneedless firings +\d+ of 539", README)
    told = " ".join(PAGES["replay"].split())
    assert f"{needless} clean calls were warned needlessly" in told
    assert f"every one of the {preceded} errors after that was preceded by its case" in told


def test_a_signature_is_as_long_as_it_may_be() -> None:
    assert len(signature.error_signature("what " + "is it that went wrong here " * 99)) <= signature.MOST
