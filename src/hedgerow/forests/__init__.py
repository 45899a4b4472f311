"""The neutral form of any tree ensemble: trees as arrays, the way of samples through them, unions, JSON."""
