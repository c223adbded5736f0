"""The hosts on this machine: found, wired to the casebook, unwired to the byte, and looked at."""
