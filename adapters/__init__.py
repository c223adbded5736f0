"""Who the casebook talks to: the command line; hosts come with their own folders."""
