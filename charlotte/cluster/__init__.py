"""Sessions on the nodes of a Ray cluster: one interface for the server and for programs.

Ray places the browser hosts and carries all messages. A *host* is an actor with one browser and its
sessions. The *gateway* is the process that serves clients: it starts its hosts, polls them, keeps
the saved state of each session, and opens the sessions of a lost host on another one.
"""
