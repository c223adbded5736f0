"""From an outcome to a lesson: signatures, the repeated-error detector, corrections, effect."""
