"""From a task to the facts that conditions read: the same words for the same thing, whatever host it comes from."""
