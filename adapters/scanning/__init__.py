"""Transcripts that hosts keep on disk, read call by call: one reader a host, one registry, files of any size line by line."""
