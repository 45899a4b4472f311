"""The integer program: arrays in, arrays out. Nothing here knows of trees or labels."""
