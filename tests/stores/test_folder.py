"""The folder, held to what every store must do."""

from pathlib import Path

import pytest

from casebook.stores.layers import LayeredStore
from casebook.stores.protocol import Store
from tests.stores.conformance import StoreConformance
from tests.stores.folders import opened


class TestFolder(StoreConformance):
    @pytest.fixture
    def store(self, root: Path) -> Store:
        return opened(root, cache=True)

    @pytest.fixture
    def other(self, root: Path) -> Store:
        return opened(root, cache=True)


class TestLayers(StoreConformance):
    @pytest.fixture
    def store(self, root: Path, tmp_path: Path) -> Store:
        (tmp_path / "user").mkdir(exist_ok=True)
        return LayeredStore([opened(root, layer="project"), opened(tmp_path / "user", layer="user")])

    @pytest.fixture
    def other(self, root: Path) -> Store:
        return opened(root)
