"""Scheduled upkeep: one file a job, the engine that applies their moves, the schedule, and what a person is shown (DESIGN section 8)."""
