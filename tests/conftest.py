import os

# Without it scikit-learn skips its check of array-API input.
os.environ.setdefault("SCIPY_ARRAY_API", "1")
# The tests run a process a core; threads inside them would only stand in each other's way.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from taught_lists import data, tumours  # noqa: F401 fixtures
