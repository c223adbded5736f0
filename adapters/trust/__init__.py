"""Which casebooks a host may be given unasked: what this user has trusted, and which cases may block."""
