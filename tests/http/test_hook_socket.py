"""The socket of hooks: whoever hangs, hangs up or sends garbage harms nobody else; another user is not answered."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import struct
import threading
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from casebook.adapters.hooks.wire import FRAME_BYTES, ask, frame
from casebook.adapters.http.hook_socket import Answer, HookSocket, is_same_user


def echo(request: Mapping[str, Any], came: float = 0.0) -> dict[str, object]:
    return {"code": 0, "stdout": str(request.get("raw"))}


def over(
    folder: Path,
    scene: Callable[[str], Awaitable[Any]],
    answer: Answer = echo,
    **limits: Any,
) -> Any:
    """Play a scene over a socket that is open."""
    path = str(folder / "serve.sock")

    async def play() -> Any:
        with ThreadPoolExecutor(4) as threads:
            hooks = HookSocket(answer, threads, **limits)
            await hooks.open(path)
            try:
                return await scene(path)
            finally:
                assert await hooks.close(20)

    return asyncio.run(play())


async def asked(path: str, text: str = "x") -> dict[str, object]:
    return await asyncio.to_thread(ask, path, {"raw": text}, 60.0)


async def sent(path: str, data: bytes) -> bytes:
    """Send bytes and give what comes back until it is hung up."""
    reader, writer = await asyncio.open_unix_connection(path)
    writer.write(data)
    await writer.drain()
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\x00\x00\x02no", b"\x00\x00\x00\x02[]", (FRAME_BYTES + 1).to_bytes(4) + b"{}", b"\xff" * 64, b"GET / HTTP/1.1\r\n\r\n",
        b"\x00\x00\x00\x06" + b"[" * 6, (200_000).to_bytes(4) + b"[" * 200_000, b"\x00\x00\x00\x02\xff\xfe",
    ],
)  # fmt: skip
def test_garbage_is_hung_up_on_and_the_next_is_answered(state: Path, data: bytes) -> None:
    async def scene(path: str) -> None:
        assert await sent(path, data) == b""
        assert (await asked(path))["stdout"] == "x"

    over(state, scene, seconds=5.0)


def test_who_hangs_is_hung_up_on_and_keeps_nobody_waiting(state: Path) -> None:
    """Forty that send half a request, or nothing, and twenty that ask: four threads answer them all."""

    async def scene(path: str) -> None:
        hanging = [asyncio.create_task(sent(path, b"\x00\x00\x00\x10half"[: n % 9])) for n in range(40)]
        told = await asyncio.gather(*(asked(path, str(n)) for n in range(20)))
        assert [each["stdout"] for each in told] == [str(n) for n in range(20)]
        assert await asyncio.gather(*hanging) == [b""] * 40

    over(state, scene, seconds=3.0)


def test_who_hangs_up_before_the_answer_harms_nobody(state: Path) -> None:
    async def scene(path: str) -> None:
        for _ in range(10):
            _, writer = await asyncio.open_unix_connection(path)
            writer.write(frame({"raw": "y" * 100_000}))
            writer.close()
        assert (await asked(path))["stdout"] == "x"

    over(state, scene)


def test_one_over_the_most_is_hung_up_on(state: Path) -> None:
    async def scene(path: str) -> None:
        first = await asyncio.open_unix_connection(path)
        await asyncio.sleep(0.1)
        assert await sent(path, frame({"raw": "x"})) == b""
        first[1].close()
        await asyncio.sleep(0.1)
        assert (await asked(path))["stdout"] == "x"

    over(state, scene, seconds=30.0, most=1)


def test_a_large_event_goes_through(state: Path) -> None:
    text = "é" * 1_000_000

    async def scene(path: str) -> None:
        assert (await asked(path, text))["stdout"] == text

    over(state, scene, seconds=30.0)


def test_who_is_being_answered_is_answered_to_the_end(state: Path) -> None:
    going_on, begun = threading.Event(), threading.Event()

    def slow(request: Mapping[str, Any], came: float) -> dict[str, object]:
        begun.set()
        going_on.wait(30)
        return echo(request)

    async def scene(path: str) -> None:
        with ThreadPoolExecutor(1) as threads:
            hooks = HookSocket(slow, threads)
            await hooks.open(f"{path}2")
            asking = asyncio.create_task(asked(f"{path}2"))
            await asyncio.to_thread(begun.wait, 30)
            closing = asyncio.create_task(hooks.close(30))
            await asyncio.sleep(0.1)
            assert not closing.done()
            going_on.set()
            assert await closing
            assert (await asking)["stdout"] == "x"

    over(state, scene)


def test_the_socket_is_this_users_alone(state: Path) -> None:
    async def scene(path: str) -> None:
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600  # noqa: PTH116 - a moment

    over(state, scene)


@pytest.mark.parametrize(("user", "is_answered"), [(os.geteuid(), True), (os.geteuid() + 1, False), (0xFFFF, False)])
def test_only_a_process_of_the_same_user_is_answered(user: int, is_answered: bool) -> None:
    class Connection:
        def getsockopt(self, _level: int, _option: int, _size: int) -> bytes:
            return struct.pack("3i", 1, user, 1)

    assert is_same_user(Connection()) == is_answered


def test_where_the_system_does_not_say_who_it_is_nobody_is_answered() -> None:
    class Connection:
        def getsockopt(self, *_: int) -> bytes:
            raise OSError

    assert not is_same_user(Connection())


def test_a_frame_holds_what_every_json_holds() -> None:
    assert json.loads(frame({"raw": "\ud800 推送"})[4:]) == {"raw": "\ud800 推送"}
