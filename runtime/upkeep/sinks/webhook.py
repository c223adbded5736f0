"""A sink: a delivery is posted as JSON to a url. A repetition bears the same `Idempotency-Key`."""

from __future__ import annotations

from casebook.policy import Sink as Settings
from casebook.runtime.upkeep.sinks.posting import post, target_of, token_of
from casebook.runtime.upkeep.sinks.protocol import SECONDS, Delivery, Place


class Webhook:
    """A url that takes deliveries."""

    seconds = SECONDS

    def __init__(self, url: str, token: str | None) -> None:
        """Take the url and its bearer token, or None."""
        self._url = url
        self._token = token

    def deliver(self, delivery: Delivery) -> None:
        """Post a delivery; any status of 2xx says that it has arrived. Raises SinkError."""
        headers = {"Idempotency-Key": delivery.id}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        post(self._url, {"id": delivery.id, **delivery.body}, headers, self.seconds)


def open_sink(settings: Settings, place: Place) -> Webhook:
    """Give the webhook that the policy describes. Raises SinkError."""
    url = target_of(settings, "a webhook")
    return Webhook(url.geturl(), token_of(settings, place, url, "a webhook"))
