"""While heavy work goes on others get the interpreter soon; afterwards everything is as it was."""

from __future__ import annotations

import sys
import threading

from casebook.yielding import SWITCH, yielding


def test_the_interval_is_short_within_and_as_it_was_after_however_blocks_overlap() -> None:
    usual = sys.getswitchinterval()
    begun, ends = threading.Event(), threading.Event()

    def work() -> None:
        with yielding():
            begun.set()
            ends.wait(10)

    thread = threading.Thread(target=work)
    with yielding():
        thread.start()
        assert begun.wait(10)
        assert sys.getswitchinterval() <= SWITCH * 1.01
    assert sys.getswitchinterval() <= SWITCH * 1.01  # the other is at work
    ends.set()
    thread.join(10)
    assert abs(sys.getswitchinterval() - usual) < 1e-6
