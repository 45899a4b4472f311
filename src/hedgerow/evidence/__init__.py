"""Evidence about rules and methods: fidelity, the trace over budgets, comparisons of methods."""
