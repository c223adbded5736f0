"""The parts of an error signature: what of a message tells, which pieces of it vary, and what stands for them."""
