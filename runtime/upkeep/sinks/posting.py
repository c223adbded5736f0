"""A JSON object posted over HTTP: no proxy, no way to another host, no secret in the clear or in what is told."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Mapping
from typing import IO, Any
from urllib.parse import SplitResult, urlsplit

from casebook import __version__
from casebook.policy import Sink as Settings
from casebook.runtime.upkeep.sinks.protocol import Place, SinkError


def target_of(settings: Settings, what: str) -> SplitResult:
    """Give the url of a sink's settings, split. Raises SinkError where it is none over http or https."""
    url = settings.url or ""
    try:
        parts = urlsplit(url)
        is_fine = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        is_fine = False
    if not is_fine or not url.isprintable() or " " in url:
        raise SinkError(f"{what}: expected a url of http or https, got {'none' if not url else 'another'}")
    if parts.username is not None or parts.password is not None:
        raise SinkError(f"{what}: expected a url without user and password; token_env names a token's variable")
    return parts


def token_of(settings: Settings, place: Place, url: SplitResult, what: str) -> str | None:
    """Give the bearer token that the settings name, or None. Raises SinkError where it is missing or would go in the clear."""
    if settings.token_env is None:
        return None
    token = place.environment.get(settings.token_env, "").strip()
    if not token:
        raise SinkError(f"{what}: the environment variable {settings.token_env} is not set")
    if not token.isascii() or not token.isprintable():
        raise SinkError(f"{what}: the environment variable {settings.token_env} holds no token: expected plain ASCII")
    if url.scheme == "http" and not is_loopback(url.hostname or ""):
        raise SinkError(f"{what}: expected https for a url that takes a token, got http to {url.hostname}")
    return token


def is_loopback(host: str) -> bool:
    """Say whether a host is this machine, by its name alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def post(url: str, body: Mapping[str, Any], headers: Mapping[str, str], seconds: float) -> None:
    """Post a JSON object; it has arrived when this returns.

    Args:
        url: over http or https. Another place of the same host may answer 307 or 308; nothing else is followed.
        body: JSON values.
        headers: further ones.
        seconds: to wait for each step.

    Raises:
        SinkError: anything but a status of 2xx came back, or nothing.
    """
    import http.client
    from urllib.error import HTTPError, URLError
    from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

    here = urlsplit(url)
    shown = f"{here.scheme}://{here.netloc}"  # path and query may hold secrets

    class SameHost(HTTPRedirectHandler):
        def redirect_request(  # noqa: PLR0917 - the signature of urllib
            self,
            req: Request,
            fp: IO[bytes],  # noqa: ARG002
            code: int,
            msg: str,  # noqa: ARG002
            headers: Any,  # noqa: ARG002
            newurl: str,
        ) -> Request | None:
            there = urlsplit(newurl)
            if (there.scheme, there.netloc) != (here.scheme, here.netloc) or code not in (307, 308):
                return None  # urllib raises the answer itself then
            return Request(newurl, data=req.data, headers=dict(req.header_items()), method="POST")  # noqa: S310

    data = json.dumps(body, ensure_ascii=False).encode()
    sent = {"Content-Type": "application/json", "User-Agent": f"casebook/{__version__}", **headers}
    request = Request(url, data=data, headers=sent, method="POST")  # noqa: S310 - `target_of` has looked at its scheme
    try:
        with build_opener(ProxyHandler({}), SameHost()).open(request, timeout=seconds) as answer:
            status = answer.status
    except HTTPError as error:
        status = error.code
        error.close()
    except TimeoutError:
        raise SinkError(f"{shown} did not answer within {seconds:g} s") from None
    except URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise SinkError(f"{shown} did not answer within {seconds:g} s") from None
        reason = error.reason
        told = reason.strerror if isinstance(reason, OSError) and reason.strerror else str(reason)
        raise SinkError(f"{shown} cannot be reached: {told}") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise SinkError(f"{shown} did not answer as HTTP does: {type(error).__name__}") from None
    if not 200 <= status < 300:
        raise SinkError(f"{shown} answered {status}" + (" (a way elsewhere)" if 300 <= status < 400 else ""))
