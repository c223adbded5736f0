"""How `satisfiable` decides: logic by search over truth values, then fields, clock and session each by their own reasoning."""
