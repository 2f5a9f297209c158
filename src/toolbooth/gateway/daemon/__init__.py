"""The daemon: one process with one set of upstreams for each user. It exports nothing, because the bridge
imports it.
"""
