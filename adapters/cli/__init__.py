"""The command line, `casebook`. A command is a module with `arguments(parser)` and `run(options) -> exit code`."""
