"""The neutral form of any tree ensemble: trees as arrays, routing of samples, unions, JSON."""
