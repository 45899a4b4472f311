"""Rules as values, and what a person gets: rule lists, their proof, their tree; weighted rules of other methods."""
