"""Where casebooks are kept."""
