"""Lets `python -m casebook` be the command `casebook`."""

from __future__ import annotations

import sys

from casebook.adapters.cli.main import main

sys.exit(main())
