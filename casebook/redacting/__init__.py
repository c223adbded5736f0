"""Secrets are taken out of every text before it is signed, stored or shown."""
