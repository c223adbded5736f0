"""From the cases that match to the answer: who may see them, which are selected, the text, and why."""
