"""`import casebook` costs no pydantic and no lark."""

import subprocess
import sys

import pytest

import casebook


def test_importing_the_package_loads_neither_pydantic_nor_lark() -> None:
    code = "import sys, casebook; heavy = {'pydantic', 'lark', 'yaml', 're2'} & set(sys.modules); sys.exit(str(heavy) if heavy else 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", [name for name in casebook.__all__ if name != "__version__"])
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(casebook, name).__name__ == name
    assert name in dir(casebook)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Cse'"):
        casebook.Cse  # noqa: B018
