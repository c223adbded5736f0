"""What people judge: the review queue, judgments and their undoing, versions, and why."""
