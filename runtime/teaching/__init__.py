"""One sentence of a person becomes a case: what it is about, when it comes up, what it would have come to so far."""
