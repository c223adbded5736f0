"""OpenClaw: a hook-only plugin and what installs it; the events themselves are read in `adapters/hooks/openclaw.py`."""
