"""Charlotte on a Ray cluster: deployment files, and a program that reads pages in parallel."""
