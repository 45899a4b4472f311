"""From a forest and data to arrays: the pool of rules, the samples they cover, their scores and predictions."""
