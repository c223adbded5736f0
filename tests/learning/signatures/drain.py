"""Drain3, the usual log template miner, on the labelled messages: with its masks for numbers, addresses and hex, as documented."""

from __future__ import annotations

from collections.abc import Sequence

from drain3 import TemplateMiner
from drain3.masking import MaskingInstruction
from drain3.template_miner_config import TemplateMinerConfig

from tests.learning.signatures.scoring import Labelled

_MASKS = (
    (r"((?<=[^A-Za-z0-9])|^)(([0-9a-f]{2,}:){3,}([0-9a-f]{2,}))((?=[^A-Za-z0-9])|$)", "ID"),
    (r"((?<=[^A-Za-z0-9])|^)(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})((?=[^A-Za-z0-9])|$)", "IP"),
    (r"((?<=[^A-Za-z0-9])|^)([0-9a-f]{6,} ?){3,}((?=[^A-Za-z0-9])|$)", "SEQ"),
    (r"((?<=[^A-Za-z0-9])|^)(0x[a-f0-9A-F]+)((?=[^A-Za-z0-9])|$)", "HEX"),
    (r"((?<=[^A-Za-z0-9])|^)([\-\+]?\d+)((?=[^A-Za-z0-9])|$)", "NUM"),
    (r"(?<=executed cmd )(\".+?\")", "CMD"),
)
"""The masks of Drain3's own example configuration."""


def drained(rows: Sequence[Labelled], *, masked: bool = True) -> list[int]:
    """Give Drain3's cluster of each message, all of them mined first: the better way for it than one after the other."""
    config = TemplateMinerConfig()
    if masked:
        config.masking_instructions = [MaskingInstruction(pattern, name) for pattern, name in _MASKS]
    miner = TemplateMiner(config=config)
    lines = [" ".join((f"{row.type}: " if row.type else "").split() + row.message.split()) for row in rows]
    first = [int(miner.add_log_message(line)["cluster_id"]) for line in lines]
    found = [miner.match(line) for line in lines]
    return [int(cluster.cluster_id) if cluster else before for cluster, before in zip(found, first, strict=True)]
