"""Benchmarks of matching, memory, loading and edits, side by side with CLIPS and a plain scan: `python -m tests.benchmarks`."""
