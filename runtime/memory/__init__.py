"""Memories in service: remembered through the gate, found again, told at the start of a session, distilled at its end."""
