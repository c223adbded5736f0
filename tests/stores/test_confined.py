"""What a cloned repository puts in the place of our files and folders neither hangs us nor leads a write out of the casebook."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from casebook import Case, NotFoundError, StoreError
from casebook.clock import fixed_clock
from casebook.stores.reading import read_regular
from casebook.stores.splitting import SplitError
from casebook.stores.starting import init
from casebook.user_state import state_folder
from tests.stores.folders import NOW, case, opened, told, write


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def device(path: Path) -> None:
    try:
        os.mknod(path, 0o600 | 0o020000, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root makes devices")


def sparse(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(8 * 2**30)


def folder(path: Path) -> None:
    path.mkdir()


PUT = [pipe, endless, device, sparse, folder]
Placing = Callable[[Path], None]


@pytest.mark.parametrize("place", PUT)
@pytest.mark.parametrize("follow", [True, False])
def test_what_is_no_file_or_over_its_limit_is_refused_without_being_read(
    tmp_path: Path, place: Placing, *, follow: bool
) -> None:
    place(tmp_path / "f")
    with pytest.raises((SplitError, OSError)):
        read_regular(str(tmp_path / "f"), 2**20, "file", follow=follow)


@pytest.mark.parametrize("size, is_read", [(10, True), (11, False)])
def test_a_file_is_read_up_to_its_limit_and_not_over_it(tmp_path: Path, size: int, *, is_read: bool) -> None:
    (tmp_path / "f").write_bytes(b"x" * size)
    if is_read:
        assert read_regular(str(tmp_path / "f"), 10, "file")[0] == b"x" * size
    else:
        with pytest.raises(SplitError, match=r"at most 10 bytes \(limit: file\), got 11 bytes"):
            read_regular(str(tmp_path / "f"), 10, "file")


def test_a_link_is_read_only_where_links_may_be(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"x")
    (tmp_path / "link").symlink_to("f")
    assert read_regular(str(tmp_path / "link"), 10, "file")[0] == b"x"
    with pytest.raises(OSError, match="symbolic links"):
        read_regular(str(tmp_path / "link"), 10, "file", follow=False)


@pytest.mark.parametrize("place", PUT)
@pytest.mark.parametrize("name", ["compiled.cache", ".gitignore"])
def test_nothing_in_the_place_of_machine_state_keeps_cases_from_serving(root: Path, name: str, place: Placing) -> None:
    write(root, "a.json", [case("a")])
    (root / ".casebook").mkdir()
    place(root / ".casebook" / name)
    store = opened(root, cache=True)
    assert list(store.snapshot().cases) == ["a"]
    store.close()
    store.edit("a", {"priority": 9})
    assert list(opened(root, cache=True).snapshot().cases) == ["a"]


@pytest.mark.parametrize("place", PUT)
def test_nothing_in_the_place_of_the_key_keeps_cases_from_serving(root: Path, place: Placing) -> None:
    write(root, "a.json", [case("a")])
    place(state_folder() / "cache.key")
    store = opened(root, cache=True)
    assert list(store.snapshot().cases) == ["a"]
    store.close()
    assert not (root / ".casebook" / "compiled.cache").exists()


@pytest.mark.parametrize("place", PUT)
def test_the_policy_in_whose_place_something_else_stands_is_a_fault_and_init_leaves_it(
    root: Path, place: Placing
) -> None:
    write(root, "a.json", [case("a")])
    place(root / "memory-policy.yaml")
    snapshot = opened(root).snapshot()
    assert list(snapshot.cases) == ["a"]
    assert told(snapshot)[0].startswith("memory-policy.yaml: expected ")
    assert "memory-policy.yaml" not in init(root, clock=fixed_clock(NOW))


@pytest.mark.parametrize("place", [*PUT, lambda path: path.symlink_to("../../victim.json")])
def test_what_is_no_file_in_the_archive_is_gone_round(root: Path, tmp_path: Path, place: Placing) -> None:
    (tmp_path / "victim.json").write_text("[]")
    write(root, "a.json", [case("a")])
    (root / "archive").mkdir()
    place(root / "archive" / "2026-03-20_retired.json")
    store = opened(root)
    with pytest.raises(NotFoundError):
        store.restore("zz")
    store.archive("a")
    assert (root / "archive" / "2026-03-20_retired_2.json").is_file()
    assert (tmp_path / "victim.json").read_text() == "[]"
    store.restore("a")
    assert list(store.snapshot().cases) == ["a"]


@pytest.mark.parametrize("place", [pipe, endless, folder, lambda path: path.symlink_to("../../victim")])
def test_what_is_no_file_in_the_place_of_the_lock_is_said_and_left(root: Path, tmp_path: Path, place: Placing) -> None:
    (tmp_path / "victim").write_text("precious")
    write(root, "a.json", [case("a")])
    (root / ".casebook").mkdir()
    place(root / ".casebook" / "write.lock")
    with pytest.raises(StoreError, match=r"write\.lock to be a file"):
        opened(root).edit("a", {"priority": 9})
    assert (tmp_path / "victim").read_text() == "precious"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder of somebody's, with files whose names are like ours."""
    folder = tmp_path / "outside"
    folder.mkdir()
    for name in (".compiled.mine", ".casebook-mine", "2026-03-19_retired.json"):
        (folder / name).write_text("[]")
    return folder


def listing(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*"))}


@pytest.mark.parametrize("name", [".casebook", "archive", "long_term", "long_term/team"])
@pytest.mark.parametrize("is_dangling", [False, True])
def test_no_link_in_the_place_of_a_folder_leads_a_write_or_a_deletion_out(
    root: Path, outside: Path, name: str, *, is_dangling: bool
) -> None:
    if name == "long_term":
        (root / "long_term").rmdir()
    else:
        write(root, "a.json", [case("a")])
    (root / name).symlink_to(outside / "none" if is_dangling else outside)
    before = listing(outside)
    store = opened(root, cache=True)
    store.snapshot()
    store.close()
    changes: list[Callable[[], None]] = [
        lambda: store.put(Case(**case("b")), file=f"{name}/b.json" if name.startswith("long_term") else None),
        lambda: store.archive("a"),
        lambda: store.restore("a"),
    ]
    refused = []
    for change in changes:
        try:
            change()
        except StoreError as error:
            refused.append(str(error))
        except NotFoundError:
            assert name.startswith("long_term")
    assert any("got a link" in each or "a link leads" in each for each in refused)
    assert listing(outside) == before
    assert not (outside / "none").exists()


@pytest.mark.parametrize("name", [".casebook", "short_term", "long_term"])
def test_init_writes_into_no_folder_that_a_link_leads_to(root: Path, outside: Path, name: str) -> None:
    (root / "long_term").rmdir()
    (outside / "2026-03-19_retired.json").unlink()
    (root / name).symlink_to(outside)
    before = listing(outside)
    with pytest.raises(StoreError, match=f"expected {name} to be a folder of the casebook's own, got a link"):
        init(root, clock=fixed_clock(NOW))
    assert listing(outside) == before


def test_a_dangling_link_in_the_place_of_gitignore_makes_no_file(root: Path, tmp_path: Path) -> None:
    write(root, "a.json", [case("a")])
    (root / ".casebook").mkdir()
    (root / ".casebook" / ".gitignore").symlink_to(tmp_path / "made")
    store = opened(root, cache=True)
    store.snapshot()
    store.edit("a", {"priority": 9})
    assert not (tmp_path / "made").exists()
    assert list(store.snapshot().cases) == ["a"]


def test_a_linked_file_of_cases_is_written_where_it_is_and_nothing_else_there_is_touched(
    root: Path, outside: Path
) -> None:
    (outside / "ours.json").write_text('[{"id": "a", "trigger_conditions": ["always"], "correction": "x"}]')
    (root / "long_term" / "a.json").symlink_to(outside / "ours.json")
    opened(root).edit("a", {"priority": 9})
    assert '"priority": 9' in (outside / "ours.json").read_text()
    assert (outside / ".casebook-mine").exists()


def test_the_casebook_itself_may_be_reached_by_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    store = opened(tmp_path / "link", cache=True)
    store.put(Case(**case("a")))
    store.archive("a")
    assert (root / "archive" / "2026-03-20_retired.json").exists()


NAMES = [
    b"a\nb.json",
    b"\xff.json",
    b"\x1b[31m.json",
    "\u202egnp.json".encode(),
    "a\u2028b.json".encode(),
    b"d\xfe/x.json",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_could_not_be_shown_on_one_line_is_a_fault_that_shows_it_escaped(root: Path, name: bytes) -> None:
    write(root, "good.json", [case("good")])
    path = root / "long_term" / os.fsdecode(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text('{"id": "a", "trigger_conditions": ["always"], "correction": "x"}')
    store = opened(root)
    snapshot = store.snapshot()
    (line,) = told(snapshot)
    assert list(snapshot.cases) == ["good"]
    assert "expected a name without control characters, in UTF-8" in line
    assert line.isprintable()
    assert line.encode()
    assert store.snapshot() is snapshot
    with pytest.raises(StoreError, match="without control characters"):
        store.put(Case(**case("b")), file=os.fsdecode(name))


@pytest.mark.parametrize("name", ["中文\u3000名.json", "e\u0301.json", "👩\u200d💻.json", "a b.json"])
def test_names_of_any_language_serve(root: Path, name: str) -> None:
    write(root, name, [case("a")])
    assert told(opened(root).snapshot()) == []


def test_git_carries_what_these_tests_put_in_place(tmp_path: Path) -> None:
    """The links above are no invention: a clone brings them."""
    there = tmp_path / "there"
    there.mkdir()
    (there / ".casebook").symlink_to("../outside")

    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=there, check=True, capture_output=True
        )

    git("init")
    git("add", "-A")
    git("commit", "-m", "x")
    git("clone", ".", str(tmp_path / "here"))
    assert (tmp_path / "here" / ".casebook").is_symlink()
