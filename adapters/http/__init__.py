"""`casebook serve`: one process a user that answers hooks over a socket and programs over HTTP on this machine, with upkeep inside."""
