"""AGENTS.md, CLAUDE.md, GEMINI.md: a managed block that tells an agent how to use the casebook, and what always holds."""
