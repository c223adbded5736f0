"""The write gate: what of what is said is worth keeping, as what, for how long, and whether it is known already (DESIGN section 7)."""
