"""Which errors pass by themselves, and which only look so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.runtime.learning.signature import is_transient

PASSING = [
    "connection timed out", "Read timed out. (read timeout=5)", "context deadline exceeded", "ETIMEDOUT", "Connection reset by peer", "read ECONNRESET", "connect ECONNREFUSED 127.0.0.1:80",
    "[Errno 111] Connection refused", "Broken pipe", "HTTP 429", "429 Too Many Requests", "status code 503", "500 Internal Server Error for url: https://a", "502 Bad Gateway", "504 Gateway Time-out",
    "Error code: 529 - {'type': 'error', 'error': {'type': 'overloaded_error', 'message': 'Overloaded'}}", "Rate limit exceeded, retry in 12 seconds", "ThrottlingException: Rate exceeded",
    "please try again later", "FATAL: sorry, too many clients already", "FATAL: the database system is starting up", "deadlock detected", "database is locked", "MySQL server has gone away",
    "Lost connection to MySQL server during query", "Temporary failure in name resolution", "socket hang up", "Service Unavailable", "upstream timed out (110: Connection timed out)",
    '{"status": 503, "message": "busy"}', "server returned 502", "LOADING Redis is loading the dataset in memory", "Network is unreachable", "EOF occurred in violation of protocol",
    "服务繁忙", "系统繁忙，请稍后再试", "请求超时", "连接被重置", "连接被对方重置（10.0.0.1:443）", "连接被拒绝", "请求过于频繁", "状态码：503", "触发限流", "网络异常", "服务暂不可用", "数据库死锁",
]  # fmt: skip
LASTING = [
    "", "invalid timeout value: -1", "invalid value for --timeout: 'abc'", "timeout must be a positive number", "got an unexpected keyword argument 'timeout'", "unknown option: timeout",
    "HTTP 404", "404 Not Found", "401 Unauthorized", "status code 400", "403 Forbidden", "No such file or directory", "permission denied", "KeyError: 'timeout'", "column 'timeout' does not exist",
    "expected 500 items, got 3", "order 503 not found", "price is 429", "not enough seats on flight HAT170", "gift card balance is not enough", "invalid rate limit", "disk full",
    "超时时间无效", "无效的超时参数", "余额不足", "订单不存在", "状态码：404", "密码错误", "参数「timeout」不能为空", "第 500 行有错误", "line 503: syntax error",
]  # fmt: skip


@pytest.mark.parametrize("message", PASSING)
def test_it_passes(message: str) -> None:
    assert is_transient(message)


@pytest.mark.parametrize("message", LASTING)
def test_it_stays(message: str) -> None:
    assert not is_transient(message)


@pytest.mark.parametrize(
    "type_",
    [
        "TimeoutError",
        "requests.exceptions.ReadTimeout",
        "ConnectionResetError",
        "ConnectionRefusedError",
        "BrokenPipeError",
        "RateLimitError",
        "openai.InternalServerError",
    ],
)
def test_a_type_says_it_too(type_: str) -> None:
    assert is_transient("", type=type_)
    assert not is_transient("", type="ValueError")


@given(st.text(max_size=300), st.none() | st.text(max_size=30))
def test_any_text_has_an_answer(message: str, type_: str | None) -> None:
    assert is_transient(message, type=type_) in (True, False)
