"""Recorded tool calls, run through the whole loop in a scratch casebook, and what came of it, as figures."""
