"""Tables in files and data frames: the values of a column, missing values, and the encoder that rules see through."""
