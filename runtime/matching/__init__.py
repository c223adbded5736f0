"""Matching: which cases' conditions hold for a task, by a Rete session behind an alpha network and a router."""
