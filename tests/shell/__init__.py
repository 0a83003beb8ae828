"""Shells that share the background server."""
