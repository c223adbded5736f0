"""The labelled texts: what holds secrets and what holds none. `tuning` was looked at while the rules were written, `heldout` was
written before them and not;
`fresh` was written later without a look at the rules, which then were mended by what it found."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from casebook.redacting.redact import redact

Part = Literal["tuning", "heldout", "fresh"]
PARTS: tuple[Part, ...] = ("tuning", "heldout", "fresh")
SEAM = "¦"
"""Stands within each token in the files, so that no scanner takes it for one; taken out on reading."""

_MASK = re.compile(r"\[redacted:[a-z0-9-]+\]")


@dataclass(frozen=True)
class Row:
    """A text, the secrets in it (none: it must come back as it is), and what of it must stay."""

    kind: str
    text: str
    secrets: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figures:
    """How a part came out."""

    rows: int
    kinds: int
    leaked: tuple[Row, ...]
    clean: int
    touched: tuple[Row, ...]

    @property
    def recall(self) -> float:
        return 1 - len(self.leaked) / self.rows

    @property
    def precision(self) -> float:
        """Of the texts in which something was masked, the share in which that was right."""
        right = self.rows - len(self.leaked)
        return right / (right + len(self.touched))


def rows(name: str) -> tuple[Row, ...]:
    lines = (Path(__file__).parent / f"{name}.jsonl").read_text(encoding="utf-8").replace(SEAM, "").splitlines()
    return tuple(
        Row(row["kind"], row["text"], tuple(row.get("secrets", ())), tuple(row.get("keep", ())))
        for row in map(json.loads, lines)
    )


def leaks(row: Row) -> bool:
    """Say whether a secret, or a long piece of one, is still there, or what must stay is not."""
    told = redact(row.text)
    bare = _MASK.sub("", told)
    pieces = {
        piece for secret in row.secrets for piece in (secret, *secret.split()) if piece == secret or len(piece) >= 8
    }
    return any(piece in bare for piece in pieces) or any(kept not in told for kept in row.keep)


def figures(part: Part) -> Figures:
    secrets, clean = rows(f"secrets_{part}"), rows(f"clean_{part}")
    return Figures(
        len(secrets),
        len({row.kind for row in secrets}),
        tuple(row for row in secrets if leaks(row)),
        len(clean),
        tuple(row for row in clean if redact(row.text) != row.text),
    )
