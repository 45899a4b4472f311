"""From a forest and data to arrays: the pool of rules, whom they cover, how stable they are, what they predict."""
