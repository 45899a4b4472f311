"""Tables in files and data frames: what a column holds, what is missing, and the encoder that rules see through."""
