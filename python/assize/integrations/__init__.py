"""Adapters for evaluation frameworks; each imports its framework when it is used."""
