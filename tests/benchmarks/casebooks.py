"""Casebook folders for the benchmarks, and edits to them as another program would make them."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.corpus import Corpus

CASES_A_FILE = 10_000
"""Cases in a file: 100,000 in one would be over the limit of 16 MB."""


def write(root: Path, corpus: Corpus) -> None:
    """Write the cases as a casebook folder, and the tasks beside them for a child process to read."""
    (root / "long_term").mkdir(parents=True)
    for place, first in enumerate(range(0, len(corpus.forms), CASES_A_FILE)):
        _replace(cases_file(root, place), _text(corpus.forms[first : first + CASES_A_FILE]))
    (root / "tasks.pickle").write_bytes(pickle.dumps(corpus.tasks))


def cases_file(root: Path, place: int = 0) -> Path:
    """Give the path of one of its files."""
    return root / "long_term" / f"cases_{place:02d}.json"


class Author:
    """Edits one case among all those of a file, again and again, with a temp file and a rename as editors do."""

    def __init__(self, path: Path, forms: Sequence[dict[str, Any]], place: int) -> None:
        """Take the file, its cases and which of them is edited."""
        self._path = path
        before, after = (_text(part)[1:-1].strip("\n ") for part in (forms[:place], forms[place + 1 :]))
        self._head = "[\n" + (before + ",\n" if before else "")
        self._tail = (",\n" + after if after else "") + "\n]\n"
        self._form = forms[place]

    def edit(self, condition: str) -> None:
        """Let the case ask one condition, the one given, from now on."""
        form = {**self._form, "trigger_conditions": [condition]}
        _replace(self._path, self._head + json.dumps(form, ensure_ascii=False, indent=2) + self._tail)


def _text(forms: Sequence[dict[str, Any]]) -> str:
    return json.dumps(list(forms), ensure_ascii=False, indent=2)


def _replace(path: Path, text: str) -> None:
    beside = path.with_suffix(".tmp")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
