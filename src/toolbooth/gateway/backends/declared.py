"""What a server declared of itself → the same, with every capability an object as the protocol wants it."""

from collections.abc import Mapping

from toolbooth.catalog.connect import Era


def sound_era(era: Era) -> Era:
    """`{"tools": true}` means that there are tools; whoever reads it must not stumble over the `true`."""
    declared = era.capabilities
    if declared is None or all(isinstance(each, Mapping) for each in declared.values()):
        return era
    sound = {
        name: each if isinstance(each, Mapping) else {}
        for name, each in declared.items()
        if isinstance(each, Mapping) or each
    }
    return Era(era.version, {**era.hello, "capabilities": sound})
