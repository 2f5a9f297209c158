"""The cache folder → what servers offered when they were last up, so that the first answer needs none of them."""

from toolbooth.gateway.cache.folder import Cache
from toolbooth.gateway.cache.place import cache_folder
from toolbooth.gateway.cache.record import Remembered
from toolbooth.gateway.cache.vectors import StoredVectors

__all__ = ["Cache", "Remembered", "StoredVectors", "cache_folder"]
