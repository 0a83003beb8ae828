"""Generated pages of docs/reference."""
