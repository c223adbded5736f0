"""What a killed writer left is taken away, and never what one that is alive is writing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from casebook.stores import atomic


@pytest.mark.parametrize(
    "pid, stays",
    [
        (99_999_999, False),  # no such process
        (os.getppid(), True),
        (os.getpid(), False),  # ours, and we are not writing it
    ],
    ids=["of nobody", "of another", "of us"],
)
def test_a_leftover_goes_unless_its_writer_is_alive(tmp_path: Path, pid: int, stays: bool) -> None:
    left = tmp_path / f".casebook-{pid}-abcd"
    left.write_text("half")
    atomic.sweep(tmp_path)
    assert left.exists() is stays


def test_a_sweep_in_the_midst_of_a_write_leaves_it_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.replace

    def replace(source, target) -> None:
        atomic.sweep(tmp_path)
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    atomic.replace_file(tmp_path / "a.json", b"whole")
    assert (tmp_path / "a.json").read_bytes() == b"whole"
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]
