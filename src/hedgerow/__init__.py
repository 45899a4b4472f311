"""Short, provably optimal rule lists from trained tree ensembles."""

from hedgerow.forest import Forest, Tree
from hedgerow.readers import read_forest

__all__ = ["Forest", "Tree", "read_forest"]
