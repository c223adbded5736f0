"""What in the archive is none of it, or damaged."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from casebook.faults import Fault
from casebook.stores.archive_entries import FOLDER, Name, day_of, items_of, name_of, own_bytes
from casebook.stores.atomic import is_leftover
from casebook.stores.confined import own_folder
from casebook.stores.pack import PackError, read_pack
from casebook.stores.splitting import SplitError


def faults(root: Path, layer: str = "") -> tuple[Fault, ...]:
    """Give what in the archive cannot be read, and is left alone: damaged or foreign packs, broken files, links.

    Args:
        root: the casebook's folder.
        layer: the name of its layer.
    """
    try:
        folder = own_folder(root, FOLDER)
        names = sorted(path.name for path in folder.iterdir())
    except FileNotFoundError:
        return ()
    except OSError as error:
        return (Fault(FOLDER, str(error.strerror or error), layer=layer),)
    found = []
    for each in names:
        told = _trouble(root, each)
        if told:
            cure = "it is left alone; move it away, or mend it"
            found.append(Fault(f"{FOLDER}/{each}", told, suggestion=cure, severity="warning", layer=layer))
    return tuple(found)


def _trouble(root: Path, each: str) -> str:
    """Say why a file of the archive is none; empty where it is one, or a name that nobody wonders about."""
    name = name_of(each)
    path = root / FOLDER / each
    if name is None:
        foreign = each.endswith((".tgz", ".tar.gz")) or "_retired" in each
        return (
            f"expected a name such as {Name(day_of(datetime(2026, 3, 20, tzinfo=UTC)), 1, 'pack')}"
            if foreign and not is_leftover(each)
            else ""
        )
    try:
        if name.kind == "pack":
            for member in read_pack(path).values():
                items_of(member)
        elif (data := own_bytes(path)) is not None:
            items_of(data)
    except (PackError, SplitError) as error:
        return str(error)
    except ValueError:
        return "expected an array of what was retired, in JSON, got a broken file"
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    return ""
