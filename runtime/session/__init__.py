"""The sessions that are live: their events with running indexes, and what was said in them already."""
