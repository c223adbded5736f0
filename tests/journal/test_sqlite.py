"""The journal in a folder and the one in memory do what every journal must."""

import pytest

from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.sqlite import SqliteJournal
from tests.journal.conformance import JournalConformance
from tests.journal.conftest import Open


class TestOfAFolder(JournalConformance):
    """In `.casebook/journal.db`."""

    @pytest.fixture
    def journal(self, open_: Open) -> Journal:
        return open_()


class TestInMemory(JournalConformance):
    """Gone when it is closed."""

    @pytest.fixture
    def journal(self, memory: SqliteJournal) -> Journal:
        return memory
