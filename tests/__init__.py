"""The tests, and the two programs `python -m tests.benchmarks` and `python -m tests.soak`."""
