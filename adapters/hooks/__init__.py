"""Hosts that run a command at their events: `casebook hook NAME` reads a host's JSON and answers in its JSON."""
