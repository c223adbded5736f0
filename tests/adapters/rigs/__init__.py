"""One rig a host: it runs the host's own loop, or speaks its payloads, with a scripted model, and tells what the model received."""
