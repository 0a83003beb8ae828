"""Sessions on the nodes of a Ray cluster: one interface for the server and for programs.

Ray places, restarts and counts the browser hosts. A *host* is an actor with one browser and its
sessions. A *gateway* is a process that serves clients: it holds a link to each host, places
sessions, and restores those of a lost host on another one. The *directory* is an actor that knows
the host and the last state of each session, for the other gateways.
"""
