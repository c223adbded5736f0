"""What happened: activations, events, versions of cases, and the audit log."""
