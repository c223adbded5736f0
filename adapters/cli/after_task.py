"""`casebook after-task`: what became of a task, recorded, for a program that tells it: JSON in, JSON out."""

from __future__ import annotations

from argparse import Namespace

from casebook.adapters.cli.arguments import Parser


def arguments(_: Parser) -> None:
    """Add the options of the outcome."""


def run(_: Namespace) -> int:
    """Record and print the receipt."""
    return 0
