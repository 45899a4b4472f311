"""The integer program: arrays in, arrays out. Nothing here knows about trees or labels."""
