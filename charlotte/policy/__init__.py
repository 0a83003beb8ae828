"""Rules on calls and requests: which are allowed, refused, or put to a person first."""
