"""Where what a tick case says is delivered: one file a kind of sink."""
