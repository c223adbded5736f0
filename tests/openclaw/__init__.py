"""OpenClaw: what its gateway tells and takes, as it was seen with release 2026.9.6."""
