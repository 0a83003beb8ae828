"""Drivers for the browser tools of model vendors, over a Charlotte session.

Each vendor has a module that imports its SDK; the other modules are independent of vendors.
"""
